/** Why a call was refused and, where a higher level would help, the way to it. */
import { messageOf } from '../../lib/api.ts'
import { isOfLevel } from '../../lib/upgrade.ts'
import { UpgradeLink } from './upgrade-link.tsx'

export function RefusalText({ error }: { error: unknown }) {
  return (
    <>
      {messageOf(error)}
      {isOfLevel(error) && (
        <>
          {' '}
          <UpgradeLink />
        </>
      )}
    </>
  )
}
