import { toast as limits } from '@neuroloom/contract/limits'
import { useEffect, useRef } from 'react'
import { toast } from '../lib/toast.ts'

/** Says that it worked, and goes on once that was read. */
export function useLeaveWithWord(goOn: () => void): (text: string) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (text) => {
    toast.success(text)
    timer.current = setTimeout(goOn, limits.durationMs)
  }
}
