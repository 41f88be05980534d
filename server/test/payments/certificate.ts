/** A certificate of X.509 for a key, signed by itself: what Node.js reads but does not write. */
import { createPublicKey, type KeyObject, sign } from 'node:crypto'

type Wanted = { key: KeyObject; serial: string; from: Date; until: Date }

export function certificate({ key, serial, from, until }: Wanted): string {
  const name = sequence(set(sequence(oid('550403'), der(0x0c, Buffer.from('stand-in')))))
  const body = sequence(
    der(0x02, Buffer.from(serial, 'hex')),
    rsaSha256,
    name,
    sequence(time(from), time(until)),
    name,
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
  )
  // A string of bits begins with how many of them are not used.
  const signature = der(0x03, Buffer.from([0]), sign('RSA-SHA256', body, key))
  const lines =
    sequence(body, rsaSha256, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

/** Tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  if (content.length < 0x80) return Buffer.from([tag, content.length, ...content])
  const hex = content.length.toString(16)
  const length = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content])
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts)
const set = (...parts: Buffer[]): Buffer => der(0x31, ...parts)
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const rsaSha256 = sequence(oid('2a864886f70d01010b'), der(0x05))

/** With two digits of the year, which is how those before 2050 are written. */
const time = (date: Date): Buffer =>
  der(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`))
