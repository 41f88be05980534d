import { toast as limits } from '@neuroloom/contract/limits'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { toast } from '../lib/toast.ts'

/** Says that it worked, and goes to the sign-in once that was read. */
export function useLeaveForLogin(): (text: string) => void {
  const navigate = useNavigate()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (text) => {
    toast.success(text)
    timer.current = setTimeout(() => void navigate('/login', { replace: true }), limits.durationMs)
  }
}
