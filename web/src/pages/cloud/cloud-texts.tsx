import { toolbox as limits } from '@neuroloom/contract/limits'
import { useSearchParams } from 'react-router'
import { ScanList } from '../../features/files/burned-in/scan-list.tsx'
import { ScanView } from '../../features/files/burned-in/scan-view.tsx'
import { useAction } from '../../lib/query.ts'

/** Texts burned into pictures: all searches, or one of them from finding to proof. */
export function CloudTexts() {
  const [params] = useSearchParams()
  const id = params.get('id')
  const record = useAction('toolbox/record', { quiet: true, refresh: ['toolbox/history'] })
  return id ? (
    <ScanView key={id} id={id} />
  ) : (
    <ScanList
      onBegun={(scan) =>
        record.mutate({ tool: 'texts', title: scan.name.slice(0, limits.titleLength), jobId: scan.id })
      }
    />
  )
}
