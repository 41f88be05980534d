/** Encrypts single values that must not stand readable in the database. Each opens for its owner alone, with this server's secret. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export type Seals = {
  /** The text encrypted and bound to its owner: moved to another row, it does not open. */
  seal(text: string, owner: string): Buffer
  /** Null where the value was altered, belongs to somebody else, or was sealed with another secret. */
  open(sealed: Buffer, owner: string): string | null
}

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function createSeals(secret: Buffer, purpose: string): Seals {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `seal ${purpose}`, KEY_BYTES))
  return {
    seal(text, owner) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner))
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), hidden])
    },
    open(sealed, owner) {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      if (tag.length < TAG_BYTES) return null
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(owner))
        .setAuthTag(tag)
      try {
        const hidden = sealed.subarray(NONCE_BYTES + TAG_BYTES)
        return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8')
      } catch {
        // Node says no more than that the tag does not fit.
        return null
      }
    },
  }
}
