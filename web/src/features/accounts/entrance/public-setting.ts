import type { Answer } from '@neuroloom/contract/calls'
import { useEffect, useState } from 'react'
import { call } from '../../../lib/api.ts'

export type PublicSetting = Answer<'setting/public'>

/** Nobody is limited there, and accounts come from the administrator. */
export const hasNoLevels = (setting: PublicSetting | null): boolean => setting?.host === -1

/** What the server says to everybody; asked for once a page load. null until it is known. */
export function usePublicSetting(): PublicSetting | null {
  const [setting, setSetting] = useState<PublicSetting | null>(null)
  useEffect(() => {
    let isMounted = true
    asked ??= call('setting/public', {}, { quiet: true })
    asked.then(
      (given) => isMounted && setSetting(given),
      () => {
        // Asked again by the next page; nothing on this one depends on it.
        asked = null
      },
    )
    return () => {
      isMounted = false
    }
  }, [])
  return setting
}

let asked: Promise<PublicSetting> | null = null
