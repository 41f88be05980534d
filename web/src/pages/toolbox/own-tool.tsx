import type { OwnTool } from '@neuroloom/contract/toolbox/own-tools'
import { ownToolName } from '@neuroloom/contract/toolbox/toolbox'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { MadeFrom, OwnActions } from '../../features/toolbox/own/own-actions.tsx'
import styles from '../../features/toolbox/toolbox.module.css'
import { messageOf } from '../../lib/api.ts'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { UpgradeLink } from '../../ui/limits/upgrade-link.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { NetworkTool } from './own-network.tsx'
import { RecipeTool } from './own-recipe.tsx'

/** `/toolboxHome?tool=own:<id>`: a tool that a member made. */
export function OwnToolPage({ id }: { id: string }) {
  const { t } = useTranslation(['own-tools', 'toolbox'])
  const { data, error, refetch } = useCall('toolbox/ownTool', { id }, { quiet: true })
  const back = { to: '/toolboxHome', label: t('toolbox:title') }
  if (data)
    return (
      <>
        <PageHeader
          title={data.name}
          subtitle={aboutOf(data, t)}
          back={back}
          actions={<OwnActions tool={data} />}
        />
        <div className={styles.stack}>
          <MadeFrom tool={data} />
          <Opened tool={data} />
        </div>
      </>
    )
  return (
    <>
      <PageHeader title={t('title')} back={back} />
      {error?.name === 'own_tool_missing' && (
        <EmptyState
          title={messageOf(error)}
          action={<Link to="/toolboxHome">{t('toolbox:history.toTools')}</Link>}
        />
      )}
      {error && error.name !== 'own_tool_missing' && (
        <ErrorState error={error} retry={() => void refetch()} />
      )}
      {!error && <Loading shape="page" />}
    </>
  )
}

type Translate = ReturnType<typeof useTranslation<['own-tools', 'toolbox']>>['t']

function aboutOf({ about, from }: OwnTool, t: Translate): string {
  if (from === null) return about
  const source = from.group === null ? t('from', { owner: from.owner }) : t('fromGroup', { ...from })
  return about === '' ? source : `${about} · ${source}`
}

function Opened({ tool }: { tool: OwnTool }) {
  const { t } = useTranslation(['own-tools', 'toolbox', 'errors'])
  const home = useCall('toolbox/home', {}, { quiet: true })
  if (tool.state !== 'ready')
    return <EmptyState title={t(`errors:own_tool_${tool.state}`)} text={t('resultsStay')} />
  // What one level does not have, the batch predictor does not have either.
  if (tool.level > 0 && home.isPending) return <Loading shape="page" />
  if (tool.level > 0 && home.data?.unavailable.includes('predictor'))
    return (
      <EmptyState
        title={t('errors:application_unavailable')}
        text={t('toolbox:unavailable')}
        action={
          <>
            <Link to="/tutorial/registration#levels">{t('toolbox:levels')}</Link>
            <UpgradeLink />
          </>
        }
      />
    )
  return tool.kind === 'recipe' ? (
    <RecipeTool key={ownToolName(tool.id)} tool={tool} />
  ) : (
    <NetworkTool key={ownToolName(tool.id)} tool={tool} />
  )
}
