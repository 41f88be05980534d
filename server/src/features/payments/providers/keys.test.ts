import { generateKeyPairSync } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { certificate } from '../../../../test/payments/certificate.ts'
import { keyFiles, keyPair, pem } from '../../../../test/payments/standing.ts'
import { createAlipay } from './alipay.ts'
import { createWechat } from './wechat.ts'

const files = keyFiles()
afterAll(() => files.remove())

const own = keyPair()
const theirs = keyPair()
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const short = generateKeyPairSync('rsa', { modulusLength: 1024 })
const years = { from: new Date('2026-01-01T00:00:00Z'), until: new Date('2031-01-01T00:00:00Z') }
let written = 0
const file = (text: string) => files.write(`${written++}.pem`, text)
const keyPath = file(pem(own.privateKey))
const now = () => new Date()

test.each([
  ['an elliptic key', { keyPath: file(pem(elliptic.privateKey)) }, 'no RSA private key in PEM'],
  ['a public key', { keyPath: file(pem(own.publicKey)) }, 'no RSA private key in PEM'],
  ['no file', { keyPath: 'nowhere.pem' }, 'nowhere.pem: no RSA private key in PEM'],
  ['a short key', { keyPath: file(pem(short.privateKey)) }, 'an RSA private key of 1024 bits, not 2048'],
  ['their elliptic key', { publicKeyPath: file(pem(elliptic.publicKey)) }, 'no RSA public key in PEM'],
  ['a private key as theirs', { publicKeyPath: file(pem(theirs.privateKey)) }, 'no RSA public key in PEM'],
  ['our own key as theirs', { publicKeyPath: file(pem(own.publicKey)) }, "the application's own public key"],
])('Alipay with %s is refused at the start', (_, changes, sentence) => {
  const config = {
    appId: '2021000000000001',
    keyPath,
    publicKeyPath: file(pem(theirs.publicKey)),
    endpoint: undefined,
  }
  expect(() => createAlipay(config, now)).not.toThrow()
  expect(() => createAlipay({ ...config, ...changes }, now)).toThrow(sentence)
})

test.each([
  ['an elliptic key', { keyPath: file(pem(elliptic.privateKey)) }, 'no RSA private key in PEM'],
  ['a key as certificate', { certPath: keyPath }, 'no certificate in PEM'],
  [
    'the certificate of another key',
    { certPath: file(certificate({ ...years, key: theirs.privateKey, serial: '5158' })) },
    'the certificate of another key',
  ],
  [
    'a secret of longer characters',
    { secret: '密'.repeat(32) },
    'PAYMENT_WECHAT_SECRET: 32 plain characters',
  ],
  [
    'a private key as theirs',
    { publicKey: { id: 'PUB_KEY_ID_1', path: keyPath } },
    'no RSA public key in PEM',
  ],
])('WeChat Pay with %s is refused at the start', (_, changes, sentence) => {
  const config = {
    appId: 'wx0000000000000001',
    merchant: '1900000001',
    keyPath,
    certPath: file(certificate({ ...years, key: own.privateKey, serial: '5157' })),
    secret: 's'.repeat(32),
    publicKey: undefined,
    endpoint: undefined,
  }
  expect(() => createWechat(config, now)).not.toThrow()
  expect(() => createWechat({ ...config, ...changes }, now)).toThrow(sentence)
})
