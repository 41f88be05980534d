import { toolbox as limits } from '@neuroloom/contract/limits'
import type { KeptRecipe, Preparation, WorkKind } from '@neuroloom/contract/recipes/recipes'
import { ownToolName } from '@neuroloom/contract/toolbox/toolbox'
import { Segmented } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { Darkroom } from '../../features/recipes/darkroom.tsx'
import { OtherWork } from '../../features/recipes/other-works.tsx'
import styles from '../../features/recipes/recipes.module.css'
import { Works } from '../../features/recipes/works.tsx'
import { toolAddress } from '../../features/toolbox/tool-address.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page, PageHeader, Panel } from '../../ui/page.tsx'

const MakeDialog = lazyPart(
  async () => (await import('../../features/toolbox/own/make-dialog.tsx')).MakeDialog,
)

const kinds = ['recipe', 'merge', 'split', 'stitch', 'rename'] as const satisfies WorkKind[]
type Kind = (typeof kinds)[number]

/** `/cloudPrepare?folder=`: all images of a folder are prepared; `&with=a,b`: merged with these. */
export function CloudPrepare() {
  const [search] = useSearchParams()
  const folder = search.get('folder')
  const others = (search.get('with') ?? '').split(',').filter((id) => id !== '')
  return folder ? (
    <Prepare key={folder} folder={folder} others={others} />
  ) : (
    <Navigate to="/cloudHome" replace />
  )
}

function Prepare({ folder, others }: { folder: string; others: string[] }) {
  const { t } = useTranslation('recipes')
  const navigate = useNavigate()
  const [making, setMaking] = useState<KeptRecipe | null>(null)
  const [kind, setKind] = useState<Kind>(others.length > 0 ? 'merge' : 'recipe')
  const query = useCall('files/properties', { id: folder }, { quiet: true })
  const record = useAction('toolbox/record', { quiet: true, refresh: ['toolbox/history'] })
  if (query.isPending) return <Loading shape="page" />
  if (query.isError)
    return (
      <Page>
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      </Page>
    )
  const { name } = query.data.entry
  const onStarted = ({ id }: Preparation) =>
    record.mutate({
      tool: 'prepare',
      title: name.slice(0, limits.titleLength),
      inputs: { folder },
      jobId: id,
    })
  const back = query.data.entry.kind === 'folder' ? `/cloudFile?id=${folder}` : '/cloudHome'
  return (
    <Page>
      <PageHeader
        title={t('title')}
        subtitle={others.length > 0 ? t('withOthers', { name, count: others.length }) : name}
        back={{ to: back, label: t('back') }}
      />
      <div className={styles.kinds}>
        <Segmented
          value={kind}
          options={kinds.map((one) => ({ value: one, label: t(`tab.${one}`) }))}
          onChange={setKind}
          aria-label={t('tab.label')}
        />
      </div>
      <Works which="open" />
      {kind === 'recipe' ? (
        <Darkroom folderId={folder} name={name} onStarted={onStarted} onMakeTool={setMaking} />
      ) : (
        <Panel>
          <OtherWork key={kind} kind={kind} ids={[folder, ...others]} name={name} onStarted={onStarted} />
        </Panel>
      )}
      <Works which="ended" />
      {making && (
        <Suspense fallback={null}>
          <MakeDialog
            source={{ of: 'recipe', sourceId: making.id, name: making.name, steps: making.recipe.steps }}
            onDone={({ id }) => void navigate(toolAddress(ownToolName(id)))}
            onClose={() => setMaking(null)}
          />
        </Suspense>
      )}
    </Page>
  )
}
