import { describe, expect, it } from 'vitest'
import { modelFromEnv, proxyTo, readParts, replyWith, startUpstream } from './proxy-kit.ts'

describe('modelFromEnv', () => {
  const idOf = (env: Parameters<typeof modelFromEnv>[0]) => {
    const model = modelFromEnv(env)
    return typeof model === 'object' ? `${model.provider} ${model.modelId}` : model
  }

  it.each<[Parameters<typeof modelFromEnv>[0], string | undefined]>([
    [{}, undefined],
    [{ PINPACK_MODEL: 'gpt-4o' }, undefined],
    [{ OPENAI_API_KEY: '' }, undefined],
    [{ OPENAI_API_KEY: 'k' }, 'openai.chat gpt-4o-mini'],
    [{ OPENAI_API_KEY: 'k', PINPACK_MODEL: 'o3' }, 'openai.chat o3'],
    [{ OPENAI_BASE_URL: 'http://localhost:11434/v1', PINPACK_MODEL: 'llama3.2' }, 'openai.chat llama3.2'],
    [{ ANTHROPIC_API_KEY: 'k' }, 'anthropic.messages claude-haiku-4-5'],
    [{ ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' }, 'openai.chat gpt-4o-mini'],
    [
      { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', PINPACK_MODEL: 'claude-sonnet-5' },
      'anthropic.messages claude-sonnet-5',
    ],
  ])('of %j is %s', (env, id) => {
    expect(idOf(env)).toBe(id)
  })

  it.each([
    [{ OPENAI_BASE_URL: 'http://localhost:11434/v1' }, 'PINPACK_MODEL'],
    [{ OPENAI_BASE_URL: 'localhost', PINPACK_MODEL: 'm' }, 'OPENAI_BASE_URL'],
    [{ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'ftp://x' }, 'ANTHROPIC_BASE_URL'],
  ])('of %j is an error that names the variable', (env, name) => {
    const message = expect.stringContaining(name)
    expect(() => modelFromEnv(env)).toThrowError(expect.objectContaining({ code: 'proxy-options', message }))
  })

  it.each([
    ['gpt-4o-mini', undefined, false],
    ['gpt-oss-20b', undefined, false],
    ['llama3.2', undefined, false],
    ['o3', undefined, true],
    ['gpt-5-mini', undefined, true],
    ['openai/o4-mini', undefined, true],
    ['my-thinker', true, true],
    ['o3-like-but-not', false, false],
  ])('sends %s (reasoning: %s) the parameters that it takes', async (model, reasoning, reasons) => {
    const upstream = await startUpstream(replyWith('Yes.'))
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: upstream.url, PINPACK_MODEL: model }
    const options = { model: modelFromEnv(env, { reasoning }), temperature: 0.2, limits: { outputTokens: 500 } }
    await readParts(await proxyTo(upstream, options).ask())
    const { max_tokens, max_completion_tokens, temperature } =
      upstream.calls[0]?.body ?? ({} as Record<string, unknown>)
    expect({ max_tokens, max_completion_tokens, temperature }).toEqual(
      reasons ? { max_completion_tokens: 500 } : { max_tokens: 500, temperature: 0.2 },
    )
  })

  it('sends the key as a bearer token, and none without a key', async () => {
    const upstream = await startUpstream(replyWith('Yes.'))
    const env = { OPENAI_BASE_URL: upstream.url, PINPACK_MODEL: 'm' }
    await readParts(await proxyTo(upstream, { model: modelFromEnv(env) }).ask())
    await readParts(await proxyTo(upstream, { model: modelFromEnv({ ...env, OPENAI_API_KEY: 'k1' }) }).ask())
    expect(upstream.calls.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer k1'])
  })
})
