/** Serves a proxy with Node. */

import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { createProxy, type ProxyOptions } from './index.ts'

export interface ServeOptions extends ProxyOptions {
  /** TCP port, 0 to 65535; 0 takes a free one. Default 8787. */
  port?: number | undefined
  /** Address to listen on. Default `127.0.0.1`: this machine only. */
  host?: string | undefined
}

/** A running server. */
export interface Served {
  /** Where it listens: `http://127.0.0.1:8787`. */
  url: string
  /** Stops listening, ends open connections, and aborts their answers. */
  close(): Promise<void>
}

/**
 * Starts a server that answers every path. Visitors are told apart by the address of their connection, unless
 * `addressHeader` says where a server in front puts it. An answer is aborted, upstream too, when its client closes the connection.
 *
 * @throws PinpackError `proxy-options`; the system's error when the port cannot be had (`EADDRINUSE`).
 */
export async function serve({ port = 8787, host = '127.0.0.1', ...options }: ServeOptions): Promise<Served> {
  const server = createAdaptorServer({ fetch: handlerOf(options), overrideGlobalObjects: false })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

function handlerOf(options: ProxyOptions) {
  const connections = new WeakMap<Request, string>()
  const addressOf = (request: Request) => connections.get(request)
  const proxy = createProxy(options.addressHeader || options.addressOf ? options : { ...options, addressOf })
  return (request: Request, env: unknown) => {
    const { remoteAddress } = (env as HttpBindings).incoming.socket
    if (remoteAddress) connections.set(request, remoteAddress)
    return proxy(request)
  }
}
