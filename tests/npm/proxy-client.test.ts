/** A client that is not ours: the AI SDK's own chat, which `useChat` wraps, over HTTP to a running proxy. */

import { AbstractChat, type ChatState, type ChatStatus, DefaultChatTransport, type UIMessage } from 'ai'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Served, type ServeOptions, serve } from '../../www/proxy/node.ts'
import type { ProxyErrorBody, Receipt } from '../../www/types.ts'
import {
  type Call,
  DONE,
  deferred,
  EVENT_STREAM,
  HASH,
  makeKnowledge,
  modelFromEnv,
  ORIGIN,
  openaiEvents,
  replyWith,
  startUpstream,
  UNLIMITED,
  type Upstream,
  within,
} from './proxy-kit.ts'

type Message = UIMessage<unknown, { receipt: Receipt; error: ProxyErrorBody; notice: ProxyErrorBody }>

/** The state that a framework would keep. */
class State implements ChatState<Message> {
  status: ChatStatus = 'ready'
  error: Error | undefined
  messages: Message[] = []
  pushMessage = (message: Message) => void this.messages.push(message)
  popMessage = () => void this.messages.pop()
  replaceMessage = (at: number, message: Message) => void this.messages.splice(at, 1, message)
  snapshot = <T>(thing: T): T => structuredClone(thing)
}

class Chat extends AbstractChat<Message> {
  constructor(transport: DefaultChatTransport<Message>, onError: (error: Error) => void = () => {}) {
    super({ state: new State(), transport, onError })
  }
}

let server: Served | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** A chat as docs/proxy.md shows it. */
async function chatWith(upstream: Upstream, options: Partial<ServeOptions> = {}, hash = HASH) {
  const model = modelFromEnv({ OPENAI_BASE_URL: upstream.url, PINPACK_MODEL: 'm' })
  const fixed = { port: 0, knowledge: makeKnowledge(), origins: [ORIGIN], model, limits: UNLIMITED, fallback: false }
  server = await serve({ ...fixed, ...options })
  const errors: Error[] = []
  const textOf = ({ parts }: Message) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const transport = new DefaultChatTransport<Message>({
    api: `${server.url}/api/chat`,
    headers: { origin: ORIGIN },
    prepareSendMessagesRequest: ({ messages }) => ({
      body: {
        hash,
        sections: [2, 3],
        messages: messages.map((message) => ({ role: message.role, content: textOf(message) })),
      },
    }),
  })
  return { chat: new Chat(transport, (error) => errors.push(error)), errors }
}

const partsOf = (chat: Chat) => chat.lastMessage?.parts ?? []
const textIn = (chat: Chat) =>
  partsOf(chat)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('')

describe('the AI SDK’s chat', () => {
  it('reads an answer: receipt, text and sources', async () => {
    const { chat, errors } = await chatWith(await startUpstream(replyWith('In 30 days [3]', ', 你好 🌍. Not [9].')))
    await chat.sendMessage({ text: 'Can I get a refund?' })
    expect(errors).toEqual([])
    expect(chat.status).toBe('ready')
    expect(chat.lastMessage?.role).toBe('assistant')
    expect(textIn(chat)).toBe('In 30 days [3], 你好 🌍. Not.')
    expect(partsOf(chat).filter(({ type }) => type === 'source-url')).toMatchObject([
      { sourceId: 'p3', url: '/faq#refunds' },
    ])
    expect(
      partsOf(chat)
        .find((part) => part.type === 'data-receipt')
        ?.data.sections.map(({ id }) => id),
    ).toEqual([0, 1, 2, 3])
  })

  it('goes on with the conversation', async () => {
    const upstream = await startUpstream(replyWith('Yes [3].'))
    const { chat } = await chatWith(upstream)
    await chat.sendMessage({ text: 'Can I get a refund?' })
    await chat.sendMessage({ text: 'And when?' })
    expect(upstream.calls[1]?.body.messages.slice(1)).toEqual([
      { role: 'user', content: 'Can I get a refund?' },
      { role: 'assistant', content: 'Yes [3].' },
      { role: 'user', content: 'And when?' },
    ])
  })

  it('is told of an error in the stream, by its code, and keeps the text', async () => {
    const { chat, errors } = await chatWith(
      await startUpstream((response) =>
        response.writeHead(200, EVENT_STREAM).end(openaiEvents(['Half'], null).join('')),
      ),
    )
    await chat.sendMessage({ text: 'Can I get a refund?' })
    expect(chat.status).toBe('error')
    expect(errors.map(({ message }) => message)).toEqual(['The answer was cut off before its end. Please try again.'])
    expect(textIn(chat)).toBe('Half')
    expect(partsOf(chat).find((part) => part.type === 'data-error')?.data.code).toBe('upstream-cut')
  })

  it('is told of a refusal before the stream', async () => {
    const { chat, errors } = await chatWith(await startUpstream(replyWith('Yes.')), {}, 'f'.repeat(32))
    await chat.sendMessage({ text: 'Can I get a refund?' })
    expect(chat.status).toBe('error')
    expect(JSON.parse(errors[0]?.message ?? '')).toMatchObject({ code: 'stale', hash: HASH })
  })

  it('is given quotes when the model is down, with the reason', async () => {
    const down = await startUpstream((response) => response.writeHead(529).end())
    const quote = async () => [{ passage: 0, text: 'You can ask for a refund within 30 days.', score: 1 }]
    const { chat, errors } = await chatWith(down, { fallback: true, quote })
    await chat.sendMessage({ text: 'Can I get a refund?' })
    expect(errors).toEqual([])
    expect(textIn(chat)).toContain('> You can ask for a refund within 30 days. [3]')
    expect(partsOf(chat).find((part) => part.type === 'data-notice')?.data.code).toBe('upstream-overloaded')
    expect(
      partsOf(chat)
        .filter((part) => part.type === 'data-receipt')
        .map(({ data }) => data.model),
    ).toEqual(['embedded'])
  })

  it('stops, and so does the upstream', async () => {
    const called = deferred<Call>()
    const upstream = await startUpstream((response, call) => {
      response.writeHead(200, EVENT_STREAM).write(openaiEvents(['First', 'x']).slice(0, 2).join(''))
      called.resolve(call)
    })
    const { chat } = await chatWith(upstream)
    const sending = chat.sendMessage({ text: 'Can I get a refund?' })
    await vi.waitFor(() => expect(textIn(chat)).toBe('First'))
    await chat.stop()
    await within(1000, (await called.promise).closed)
    await within(1000, sending)
    expect(chat.status).toBe('ready')
  })

  it('reads an answer cut at its token limit as one', async () => {
    const { chat } = await chatWith(
      await startUpstream((response) =>
        response.writeHead(200, EVENT_STREAM).end(openaiEvents(['Half'], 'length').join('') + DONE),
      ),
    )
    await chat.sendMessage({ text: 'Can I get a refund?' })
    expect([chat.status, textIn(chat)]).toEqual(['ready', 'Half'])
  })
})
