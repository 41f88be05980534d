import { expect, test } from 'vitest'
import { systemCallFilter } from './seccomp.ts'

const ALLOW = 0x7fff0000
const REFUSE = 0x00050001
const KILL = 0x80000000

/** Does what the kernel does with the filter. */
function verdict(filter: Buffer, call: { architecture: number; number: number }): number {
  let value = 0
  for (let at = 0; ; at += 1) {
    const code = filter.readUInt16LE(at * 8)
    const jump = filter.readUInt8(at * 8 + 2)
    const operand = filter.readUInt32LE(at * 8 + 4)
    if (code === 0x20) value = operand === 4 ? call.architecture : call.number
    else if (code === 0x15) at += value === operand ? jump : 0
    else if (code === 0x35) at += value >= operand ? jump : 0
    else return operand
  }
}

test.each([
  ['x64', 0xc000003e, { read: 0, ptrace: 101, mount: 165, unshare: 272, clone: 56, bpf: 321, openat: 257 }],
  ['arm64', 0xc00000b7, { read: 63, ptrace: 117, mount: 40, unshare: 97, clone: 220, bpf: 280, openat: 56 }],
])('%s: dangerous calls are refused, others pass', (name, architecture, numbers) => {
  const filter = systemCallFilter(name) ?? Buffer.alloc(0)
  const verdicts = Object.entries(numbers).map(([call, number]) => [
    call,
    verdict(filter, { architecture, number }),
  ])
  expect(Object.fromEntries(verdicts)).toEqual({
    ...{ read: ALLOW, clone: ALLOW, openat: ALLOW },
    ...{ ptrace: REFUSE, mount: REFUSE, unshare: REFUSE, bpf: REFUSE },
  })
  // Calls of another architecture, and of x32, mean something else by the same numbers.
  expect(verdict(filter, { architecture: 0x40000003, number: numbers.read })).toBe(KILL)
  expect(verdict(filter, { architecture, number: 0x40000000 + numbers.read })).toBe(REFUSE)
})

test('there is none for an architecture whose numbers are not known', () => {
  expect(systemCallFilter('riscv64')).toBeNull()
})
