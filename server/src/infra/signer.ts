/** The platform's own signature (Ed25519, RFC 8032), for statements that must be believed outside of it. */
import { createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto'

export type Signer = {
  /** In base64, over the text's bytes in UTF-8. */
  sign(text: string): string
  /** In PEM: what anybody checks signatures with. */
  publicKey: string
}

const SEED_BYTES = 32
/** PKCS #8 of an Ed25519 key up to its seed (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** From the server's secret, so that a restored backup signs with the same key. */
export function createSigner(secret: Buffer): Signer {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'sign', SEED_BYTES))
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString()
  return { publicKey, sign: (text) => sign(null, Buffer.from(text), key).toString('base64') }
}
