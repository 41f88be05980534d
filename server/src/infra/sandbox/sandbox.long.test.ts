/** Programs that want more than they may: each ends harmlessly, and the machine is as it was. */
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missingParts } from './bubblewrap.ts'
import { runInSandbox } from './sandbox.ts'

/** Every user can enter it. */
const SHARED = '/tmp'
let folder: string
let secrets: string
let listener: Server
let connections = 0
beforeAll(async () => {
  folder = await mkdtemp(join(SHARED, 'neuroloom-code-'))
  secrets = await mkdtemp(join(SHARED, 'neuroloom-secret-'))
  await chmod(folder, 0o755)
  await chmod(secrets, 0o755)
  await writeFile(join(secrets, 'data.txt'), 'PATIENT')
  listener = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  listener.close()
  for (const one of [folder, secrets]) await rm(one, { recursive: true, force: true })
})

const portOf = (): number => {
  const address = listener.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function run(text: string, timeMs = 15_000) {
  await writeFile(join(folder, 'main.py'), text)
  await chmod(join(folder, 'main.py'), 0o444)
  return runInSandbox({ folder, path: 'main.py', timeMs })
}

/** Prints OK unless the deed succeeded. */
const tried = (deed: string, before = ''): string => `
import os, sys, socket, ctypes, subprocess, resource
${before}
try:
${deed
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
    print("ESCAPED")
except BaseException as error:
    print("OK", type(error).__name__)
`

const processesOf = (mark: string): number =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(mark)).length

describe.skipIf(missingParts().length > 0)('a program in the sandbox', { timeout: 120_000 }, () => {
  test('that is honest prints, writes its output and ends', async () => {
    const result = await run('open("/out/a b.txt", "w").write("12345")\nprint("hello")')
    expect(result).toEqual({
      ...{ outcome: 'done', exitCode: 0, printed: 'hello\n' },
      output: [{ path: 'a b.txt', sizeBytes: 5 }],
    })
  })

  test('that fails says so by its code', async () => {
    const { outcome, exitCode, printed } = await run('import sys\nprint("no", file=sys.stderr)\nsys.exit(3)')
    expect([outcome, exitCode, printed]).toEqual(['failed', 3, 'no\n'])
  })

  const refused: [string, () => string][] = [
    ['connects to this machine', () => tried(`socket.create_connection(("127.0.0.1", ${portOf()}), 2)`)],
    ['connects to the network', () => tried('socket.create_connection(("1.1.1.1", 53), 2)')],
    ['asks the metadata service', () => tried('socket.create_connection(("169.254.169.254", 80), 2)')],
    ['resolves a name', () => tried('socket.getaddrinfo("example.com", 80)')],
    ['reads /etc/shadow', () => tried('open("/etc/shadow").read()')],
    ['reads /etc/passwd', () => tried('open("/etc/passwd").read()')],
    ['reads the data of others', () => tried(`open("${secrets}/data.txt").read()`)],
    [
      'reads the data of others by a symbolic link',
      () => tried(`os.symlink("${secrets}/data.txt", "/out/link")\nopen("/out/link").read()`),
    ],
    ['reads the home of root', () => tried('os.listdir("/root")')],
    ['lists the server’s folder', () => tried(`os.listdir("${process.cwd()}")`)],
    ['changes its own code', () => tried('open("/code/main.py", "w").write("x")')],
    ['adds to its own code', () => tried('open("/code/new.py", "w").write("x")')],
    ['writes to the programs', () => tried('open("/usr/bin/x", "w").write("x")')],
    ['writes to the root', () => tried('open("/x", "w").write("x")')],
    ['fills the devices', () => tried('open("/dev/x", "w").write("x")')],
    ['fills the shared memory', () => tried('open("/dev/shm/x", "wb").write(b"x" * 200_000_000)')],
    ['becomes root', () => tried('os.setuid(0)')],
    [
      'makes a program that runs as somebody else',
      () =>
        tried(
          'import shutil\nshutil.copy("/usr/bin/id", "/out/id")\nos.chmod("/out/id", 0o4755)\nassert b"uid=0" in subprocess.check_output(["/out/id"])',
        ),
    ],
    ['makes a device', () => tried('os.mknod("/out/sda", 0o060666, os.makedev(8, 0))')],
    [
      'mounts a file system',
      () =>
        tried(
          'libc = ctypes.CDLL(None, use_errno=True)\nassert libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0',
        ),
    ],
    [
      'makes a namespace of its own',
      () => tried('libc = ctypes.CDLL(None, use_errno=True)\nassert libc.unshare(0x10000000) == 0'),
    ],
    [
      'takes hold of the first process',
      () => tried('libc = ctypes.CDLL(None, use_errno=True)\nassert libc.ptrace(16, 1, 0, 0) == 0'),
    ],
    [
      'takes hold of a process outside',
      () =>
        tried(`libc = ctypes.CDLL(None, use_errno=True)\nassert libc.ptrace(16, ${process.pid}, 0, 0) == 0`),
    ],
    ['lifts its limits', () => tried('resource.setrlimit(resource.RLIMIT_NPROC, (10_000, 10_000))')],
    ['loads the kernel', () => tried('subprocess.check_call(["/sbin/modprobe", "loop"])')],
    ['ends other processes', () => tried(`os.kill(${process.pid}, 9)`)],
  ]
  test.each(refused)('that %s is refused', async (_, text) => {
    const { printed } = await run(text())
    expect(printed).toMatch(/^OK \w+\n/)
    expect(connections).toBe(0)
  })

  test('finds no environment but a path, a home and a language', async () => {
    const { printed } = await run('import os\nprint(sorted(os.environ))')
    expect(printed).toBe("['HOME', 'LANG', 'PATH', 'PWD']\n")
  })

  test('sees no processes but those of the sandbox', async () => {
    const { printed } = await run(
      'import os\nprint(len([one for one in os.listdir("/proc") if one.isdigit()]))',
    )
    expect(Number(printed)).toBeLessThan(8)
  })

  test('that never ends is ended by the clock', async () => {
    const { outcome, exitCode } = await run('while True: pass', 3000)
    expect([outcome, exitCode]).toEqual(['time', null])
  })

  test('that leaves a process in the background, deaf to signals, ends with all of its processes', async () => {
    const mark = `mark${process.pid}background`
    const { outcome } = await run(
      `import os, signal, subprocess
for one in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(one, signal.SIG_IGN)
subprocess.Popen(["/usr/bin/python3", "-c", "import time; time.sleep(600)  # ${mark}"], start_new_session=True)`,
      3000,
    )
    expect(outcome).toBe('done')
    expect(processesOf(mark)).toBe(0)
  })

  test('that forks without end is stopped, and nothing of it is left', async () => {
    const mark = `mark${process.pid}fork`
    const { outcome, printed } = await run(
      `import os
mark = "${mark}"
while True:
    try: os.fork()
    except OSError as error:
        print(error.errno, flush=True)
        os._exit(1)`,
      8000,
    )
    expect(['time', 'failed', 'output']).toContain(outcome)
    expect(printed).toContain('11')
  })

  test('that takes memory in one process is refused it', async () => {
    const { outcome, printed } = await run(tried('data = bytearray(8 << 30)'))
    expect(printed.startsWith('OK MemoryError') || outcome === 'memory').toBe(true)
  })

  test('that takes memory in many processes is stopped', async () => {
    const { outcome } = await run(`import os, time
for _ in range(8): 
    if os.fork() == 0:
        data = bytearray(os.urandom(1 << 20)) * 600
        time.sleep(60)
time.sleep(60)`)
    expect(outcome).toBe('memory')
  })

  test('that fills its folders finds them full, and the disk is as it was', async () => {
    const { printed } = await run(`
import os
for folder in ("/out", "/tmp"):
    total = 0
    try:
        for number in range(10_000):
            with open(f"{folder}/{number}", "wb") as one: total += one.write(b"x" * (1 << 20))
    except OSError as error: pass
    print(total < 70_000_000)`)
    expect(printed).toBe('True\nTrue\n')
    expect(await readdir(folder)).toEqual(['main.py'])
  })

  test('that prints without end is stopped, and what it printed is cut', async () => {
    const { outcome, printed } = await run('while True: print("x" * 1000)')
    expect(outcome).toBe('output')
    expect(printed.length).toBeLessThanOrEqual(64 * 1024)
  })

  test('that prints bytes which are no text leaves text', async () => {
    const { printed } = await run('import sys\nsys.stdout.buffer.write(bytes(range(256)))')
    expect(printed).not.toContain('\0')
  })

  test('that leaves many files or long names has a bounded list of them', async () => {
    const { output } = await run(`
for number in range(2000): open(f"/out/{number:04}" + "n" * 240, "w").close()`)
    expect(output.length).toBeLessThanOrEqual(200)
  })

  test('that writes a name with line breaks invents no other file', async () => {
    const { output } = await run('open("/out/a\\n999 b", "w").close()')
    expect(output).toEqual([{ path: 'a\uFFFD999 b', sizeBytes: 0 }])
  })

  test('that writes to the list of its output cannot', async () => {
    const { printed, output } = await run(tried('os.write(3, b"5 forged\\n")'))
    expect([printed, output]).toEqual(['OK OSError\n', []])
  })

  test('leaves the data of others as they were', async () => {
    expect(await readFile(join(secrets, 'data.txt'), 'utf8')).toBe('PATIENT')
  })
})
