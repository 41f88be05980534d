import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { isAtThisMachine } from './loopback.ts'

/** Only what is looked at; tests themselves come from this machine alone. */
const asked = (remoteAddress: string, host: string) =>
  ({
    raw: { socket: { remoteAddress }, httpVersion: '1.1' } as IncomingMessage,
    headers: { host },
  }) satisfies Pick<FastifyRequest, 'raw' | 'headers'>
const config = { publicUrl: undefined, trustProxy: false } as const

test.each(['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1'])(
  'somebody at %s sits at this machine',
  (address) => {
    expect(isAtThisMachine(asked(address, 'localhost:8080'), config)).toBe(true)
  },
)

test.each(['203.0.113.7', '10.0.0.1', '192.168.0.4', '::ffff:203.0.113.7', '2001:db8::1', 'fe80::1', ''])(
  'somebody at %j does not, whatever name the request gives this machine',
  (address) => {
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080'])
      expect(isAtThisMachine(asked(address, host), config), host).toBe(false)
  },
)
