// A browser by its own protocol, with nothing switched on that is not asked for: a tool that listens to the network makes the page's
// process keep every response, which is work of its main thread.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Starts a browser: `page()` gives a page of it, `trace(act)` the events while `act` runs. */
export async function launchBrowser(executable) {
  const profile = await mkdtemp(join(tmpdir(), 'pinpack-bench-'))
  const flags = ['--headless=new', '--no-sandbox', '--no-first-run', '--disable-gpu', '--remote-debugging-port=0']
  const child = spawn(executable, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const socket = new WebSocket(await addressOf(child))
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  const connection = connect(socket)
  const close = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill()
    await ended
    await rm(profile, { recursive: true, force: true })
  }
  const { product } = await connection.send('Browser.getVersion')
  return { version: product, page: () => openPage(connection), trace: (act) => trace(connection, act), close }
}

function addressOf(child) {
  let said = ''
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (text) => {
      said += text
      const found = /ws:\/\/\S+/.exec(said)
      if (found) resolve(found[0])
    })
    child.on('exit', (code) => reject(new Error(`the browser ended with ${code}:\n${said}`)))
  })
}

function connect(socket) {
  const [waiting, listeners] = [new Map(), new Set()]
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data)
    if (message.id === undefined) for (const listen of listeners) listen(message)
    else waiting.get(message.id)?.(message)
  })
  let last = 0
  const send = (method, params = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      last += 1
      waiting.set(last, ({ result, error }) =>
        error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result),
      )
      socket.send(JSON.stringify({ id: last, method, params, sessionId }))
    })
  return { send, listeners }
}

async function openPage({ send }) {
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
  const evaluate = async (expression) => {
    const options = { expression, returnByValue: true, awaitPromise: true }
    const { result, exceptionDetails } = await send('Runtime.evaluate', options, sessionId)
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.text}`)
    return result.value
  }
  const until = async (expression) => {
    for (let tries = 0; !(await evaluate(expression)); tries += 1) {
      if (tries > 300) throw new Error(`not in 30 s: ${expression}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const click = async (x, y) => {
    const mouse = (type, more) => send('Input.dispatchMouseEvent', { type, x, y, ...more }, sessionId)
    await mouse('mouseMoved')
    await mouse('mousePressed', { button: 'left', clickCount: 1 })
    await mouse('mouseReleased', { button: 'left', clickCount: 1 })
  }
  return {
    ...{ evaluate, until, click },
    goto: (url) => send('Page.navigate', { url }, sessionId),
    slow: (rate) => send('Emulation.setCPUThrottlingRate', { rate }, sessionId),
    type: (text) => send('Input.insertText', { text }, sessionId),
    press: (key) =>
      send(
        'Input.dispatchKeyEvent',
        { type: 'keyDown', key, code: key, text: key === 'Enter' ? '\r' : undefined },
        sessionId,
      ),
    close: () => send('Target.closeTarget', { targetId }),
  }
}

async function trace({ send, listeners }, act) {
  const events = []
  let end = () => {}
  const ended = new Promise((resolve) => {
    end = resolve
  })
  const listen = ({ method, params }) => {
    if (method === 'Tracing.dataCollected') events.push(...params.value)
    if (method === 'Tracing.tracingComplete') end()
  }
  listeners.add(listen)
  const traceConfig = { includedCategories: ['devtools.timeline', 'toplevel', 'v8'] }
  await send('Tracing.start', { traceConfig, transferMode: 'ReportEvents' })
  await act()
  await send('Tracing.end')
  await ended
  listeners.delete(listen)
  return events
}
