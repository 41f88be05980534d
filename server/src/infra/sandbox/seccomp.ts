/**
 * A filter of system calls for the sandbox, in the form that bubblewrap hands to the kernel (classic BPF, `struct sock_filter`).
 * Refused with EPERM is what gives hold of other processes, of the kernel, or of namespaces; all else passes, because
 * Python and its libraries need most of it. Numbers: `arch/x86/entry/syscalls/syscall_64.tbl`, `include/uapi/asm-generic/unistd.h`.
 */

type Architecture = { audit: number; numbers: Readonly<Record<string, number>> }

/** By the names that Node gives them. */
const architectures: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    numbers: {
      ...{ ptrace: 101, pivot_root: 155, mount: 165, umount2: 166, swapon: 167, swapoff: 168, reboot: 169 },
      ...{ settimeofday: 170, init_module: 175, delete_module: 176, clock_settime: 227, kexec_load: 246 },
      ...{ add_key: 248, request_key: 249, keyctl: 250, unshare: 272, perf_event_open: 298 },
      ...{ open_by_handle_at: 304, setns: 308, process_vm_readv: 310, process_vm_writev: 311 },
      ...{ finit_module: 313, bpf: 321, userfaultfd: 323, io_uring_setup: 425, io_uring_enter: 426 },
      ...{ io_uring_register: 427, pidfd_getfd: 438 },
    },
  },
  arm64: {
    audit: 0xc00000b7,
    numbers: {
      ...{ umount2: 39, mount: 40, pivot_root: 41, unshare: 97, kexec_load: 104, init_module: 105 },
      ...{ delete_module: 106, clock_settime: 112, ptrace: 117, reboot: 142, settimeofday: 170 },
      ...{ add_key: 217, request_key: 218, keyctl: 219, swapon: 224, swapoff: 225, perf_event_open: 241 },
      ...{ open_by_handle_at: 265, setns: 268, process_vm_readv: 270, process_vm_writev: 271 },
      ...{ finit_module: 273, bpf: 280, userfaultfd: 282, io_uring_setup: 425, io_uring_enter: 426 },
      ...{ io_uring_register: 427, pidfd_getfd: 438 },
    },
  },
}

const LOAD_WORD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const RETURN = 0x06
const ALLOW = 0x7fff0000
const KILL = 0x80000000
const EPERM = 1
const REFUSE = 0x00050000 | EPERM
/** In `struct seccomp_data`. */
const NUMBER_AT = 0
const ARCHITECTURE_AT = 4
/** Calls of the x32 interface have other numbers for the same deeds. */
const X32_BIT = 0x40000000

/** Null on an architecture whose numbers are not known here. */
export function systemCallFilter(architecture: string = process.arch): Buffer | null {
  const known = architectures[architecture]
  if (!known) return null
  const refused = Object.values(known.numbers)
  return Buffer.concat([
    instruction({ code: LOAD_WORD, value: ARCHITECTURE_AT }),
    instruction({ code: JUMP_IF_EQUAL, value: known.audit, ifTrue: 1 }),
    instruction({ code: RETURN, value: KILL }),
    instruction({ code: LOAD_WORD, value: NUMBER_AT }),
    // To the refusal, which is the last instruction.
    instruction({ code: JUMP_IF_AT_LEAST, value: X32_BIT, ifTrue: refused.length + 1 }),
    ...refused.map((value, index) =>
      instruction({ code: JUMP_IF_EQUAL, value, ifTrue: refused.length - index }),
    ),
    instruction({ code: RETURN, value: ALLOW }),
    instruction({ code: RETURN, value: REFUSE }),
  ])
}

/** `ifTrue`: how many instructions are passed over. */
function instruction({ code, value, ifTrue = 0 }: { code: number; value: number; ifTrue?: number }): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(ifTrue, 2)
  bytes.writeUInt32LE(value, 4)
  return bytes
}
