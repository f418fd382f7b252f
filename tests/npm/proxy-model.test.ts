import { describe, expect, it } from 'vitest'
import { makeBody, modelFromEnv, proxyTo, readParts, replyWith, startUpstream } from './proxy-kit.ts'

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

describe('what a provider can cache', () => {
  const anthropicAnswer = [
    [
      'message_start',
      {
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          content: [],
          model: 'c',
          usage: { input_tokens: 9, output_tokens: 1 },
        },
      },
    ],
    ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
    ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Yes.' } }],
    ['content_block_stop', { index: 0 }],
    ['message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }],
    ['message_stop', {}],
  ] as const

  it('is marked for Anthropic: the same text for every question, up to the end of the rules', async () => {
    const upstream = await startUpstream((response) => {
      const events = anthropicAnswer.map(
        ([type, more]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`,
      )
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''))
    })
    const { ask } = proxyTo(upstream, {
      model: modelFromEnv({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: upstream.url }),
    })
    for (const sections of [[2, 3], [5]]) expect((await readParts(await ask(makeBody({ sections })))).text).toBe('Yes.')
    type Block = { type: string; text: string; cache_control?: unknown }
    const [one = [], other = []] = upstream.calls.map(({ body }) => body.system as Block[])
    expect(one.map(({ cache_control }) => cache_control)).toEqual([{ type: 'ephemeral' }, undefined])
    expect(one[0]).toEqual(other[0])
    expect(one[0]?.text).toMatch(/Zanzibar Holdings\.\n<\/passage>\n$/)
    expect(one[1]?.text).toContain('<passage id="3" title="Refunds">')
  })

  it('is one text for all others, which cache by themselves or take only one', async () => {
    const upstream = await startUpstream(replyWith('Yes.'))
    await readParts(await proxyTo(upstream).ask())
    expect(upstream.calls[0]?.body.messages.map(({ role, content }) => [role, typeof content])).toEqual([
      ['system', 'string'],
      ['user', 'string'],
    ])
  })
})
