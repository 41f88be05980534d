/** Whether somebody sits at this very machine. A proxy on it brings strangers, so whatever hints at one says no. */
import { BlockList, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

export function isAtThisMachine(
  { raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>,
  { publicUrl, trustProxy }: Pick<Config, 'publicUrl' | 'trustProxy'>,
): boolean {
  const { remoteAddress = '' } = raw.socket
  return (
    isLoopback(remoteAddress) &&
    // A page of another name that was pointed at this machine (DNS rebinding) keeps its own name here.
    isOwnName(headers.host) &&
    // The operator said that a proxy stands in front.
    trustProxy === false &&
    (publicUrl === undefined || isOwnName(new URL(publicUrl).host)) &&
    // Nginx, if not told otherwise, names nobody, calls itself the host and speaks HTTP/1.0.
    raw.httpVersion !== '1.0' &&
    proxyHeaders.every((name) => headers[name] === undefined)
  )
}

/** What proxies add to say for whom they ask. */
const proxyHeaders = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'via',
]

const own = new BlockList()
own.addSubnet('127.0.0.0', 8, 'ipv4')
own.addAddress('::1', 'ipv6')

const isLoopback = (address: string): boolean => own.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

function isOwnName(host = ''): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''))
}
