/** RSA keys of an account at a provider, from PEM files; says what is wrong with one, and never shows it. */
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Both providers sign by SHA-256 with keys of this length. */
const LEAST_BITS = 2048

export function readPrivateKey(path: string): KeyObject {
  return rsa(path, 'private key', () => createPrivateKey(readFileSync(path)))
}

export function readPublicKey(path: string): KeyObject {
  return rsa(path, 'public key', () => {
    const pem = readFileSync(path, 'utf8')
    // A private key would do for Node.js as well; here it is a sign that two files were mixed up.
    if (!/-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem)) throw new Error('another kind of file')
    return createPublicKey(pem)
  })
}

/** The certificate that was made for the key. */
export function readCertificate(path: string, key: KeyObject): X509Certificate {
  const certificate = attempt(() => new X509Certificate(readFileSync(path)))
  if (!certificate) throw new Error(`${path}: no certificate in PEM`)
  if (!certificate.checkPrivateKey(key)) throw new Error(`${path}: the certificate of another key`)
  return certificate
}

function rsa(path: string, kind: string, read: () => KeyObject): KeyObject {
  const key = attempt(read)
  if (key?.asymmetricKeyType !== 'rsa') throw new Error(`${path}: no RSA ${kind} in PEM`)
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < LEAST_BITS) throw new Error(`${path}: an RSA ${kind} of ${bits} bits, not ${LEAST_BITS}`)
  return key
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
