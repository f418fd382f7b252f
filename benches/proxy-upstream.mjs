// A stand-in for a model, in a process of its own: streams numbered words of the question's own name, in the OpenAI protocol.
// Sends its port to its parent. Arguments: words an answer, milliseconds between two.
import { createServer } from 'node:http'

const [words, everyMs] = process.argv.slice(2).map(Number)

const event = (delta, reason = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { messages } = JSON.parse(Buffer.concat(chunks).toString())
    const name = /name:(\w+)/.exec(messages.at(-1).content)?.[1] ?? 'none'
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let sent = 0
    const next = () => {
      response.write(event({ content: `${name}.${sent} ` }))
      if (++sent < words) timer = setTimeout(next, everyMs)
      else response.end(`${event({}, 'stop')}data: [DONE]\n\n`)
    }
    let timer = setTimeout(next, 0)
    response.on('close', () => clearTimeout(timer))
  })
})
server.keepAliveTimeout = 120_000
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
