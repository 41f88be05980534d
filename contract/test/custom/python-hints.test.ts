import { expect, test } from 'vitest'
import { pythonHints } from '../../src/custom/python-hints.ts'

test.each([
  ['import socket', ['network']],
  ['from urllib import request', ['network']],
  ['page = "https://example.test"', ['network']],
  ['import subprocess', ['process']],
  ['os.system("ls")', ['process']],
  ['from ctypes import CDLL', ['process']],
  ['eval("1")', ['dynamic']],
  ['import pickle', ['dynamic']],
  ['requests.get(eval(name))', ['network', 'dynamic']],
  ['import numpy as np', []],
  ['model.evaluate()', []],
  ['processes = 3', []],
])('%s', (line, findings) => {
  expect(pythonHints(`# a line before\n${line}\n`)).toEqual(findings.map((finding) => ({ finding, line: 2 })))
})

test('a text of long lines and many hints costs little', () => {
  expect(pythonHints('import socket\n'.repeat(10_000))).toHaveLength(100)
  expect(pythonHints(`${' '.repeat(5000)}import socket`)).toEqual([])
})
