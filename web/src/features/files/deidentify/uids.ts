/** New identifiers in place of old ones: the same for the same member, so that parts of a series stay together. */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

export type Identifiers = {
  /** One UID for another; UIDs of the standard itself, and those that this made before, stay. */
  uid(old: string): string
  /** A patient's number for another. */
  patient(old: string): string
}

/** `key` belongs to one member and never leaves the server and that member's browser. */
export function identifiersFor(key: Uint8Array): Identifiers {
  const mac = (purpose: string, text: string | Uint8Array) =>
    hmac(sha256, key, typeof text === 'string' ? utf8ToBytes(`${purpose}\n${text}`) : join(purpose, text))
  /** Bytes of which the last four say that the others were made with this key. */
  const seal = (purpose: string, body: Uint8Array) => mac(`${purpose} seal`, body).subarray(0, 4)
  const known = new Map<string, string>()

  const makeUid = (old: string) => {
    const body = mac('uid', old).subarray(0, 12)
    // A UUID of version 8: bits of its own making, marked as such (RFC 9562, 5.8).
    body[6] = 0x80 | ((body[6] ?? 0) & 0x0f)
    body[8] = 0x80 | ((body[8] ?? 0) & 0x3f)
    return `2.25.${BigInt(`0x${bytesToHex(body)}${bytesToHex(seal('uid', body))}`)}`
  }
  const isOwnUid = (uid: string) => {
    const number = /^2\.25\.(\d{1,39})$/.exec(uid)?.[1]
    if (number === undefined) return false
    const hex = BigInt(number).toString(16).padStart(32, '0')
    return hex.length === 32 && hex.endsWith(bytesToHex(seal('uid', fromHex(hex.slice(0, 24)))))
  }
  return {
    uid(old) {
      if (old.startsWith('1.2.840.10008.') || isOwnUid(old)) return old
      const made = known.get(old) ?? makeUid(old)
      known.set(old, made)
      return made
    },
    patient(old) {
      const own = /^ANON-([0-9A-F]{12})([0-9A-F]{8})$/.exec(old)
      if (own?.[1] && sealText(seal, own[1]) === own[2]) return old
      const body = bytesToHex(mac('patient', old).subarray(0, 6)).toUpperCase()
      return `ANON-${body}${sealText(seal, body)}`
    },
  }
}

const sealText = (seal: (purpose: string, body: Uint8Array) => Uint8Array, body: string) =>
  bytesToHex(seal('patient', fromHex(body.toLowerCase()))).toUpperCase()

function join(purpose: string, bytes: Uint8Array): Uint8Array {
  const head = utf8ToBytes(`${purpose}\n`)
  const joined = new Uint8Array(head.length + bytes.length)
  joined.set(head)
  joined.set(bytes, head.length)
  return joined
}

const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
