import { type Puzzle, solve } from './solve.ts'

self.onmessage = ({ data }: MessageEvent<Puzzle>) => self.postMessage(solve(data))
