import { type ComponentType, useState } from 'react'
import { CallError } from '../../lib/api.ts'
import { toast } from '../../lib/toast.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { DayBars } from '../../ui/charts/day-bars.tsx'
import { Spark } from '../../ui/charts/spark.tsx'
import { SquareChart } from '../../ui/charts/square-chart.tsx'
import { ChoiceOption } from '../../ui/choice-option.tsx'
import { Clock } from '../../ui/clock.tsx'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ForeseenTime } from '../../ui/foreseen-time.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { LimitMeter } from '../../ui/limits/limit-meter.tsx'
import { RefusalText } from '../../ui/limits/refusal-text.tsx'
import { UpgradeLink } from '../../ui/limits/upgrade-link.tsx'
import { UsedLimit } from '../../ui/limits/used-limit.tsx'
import { LineButton } from '../../ui/line-button.tsx'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import { LongList } from '../../ui/long-list.tsx'
import { LanguageSelect } from '../../ui/look/language-select.tsx'
import { LookChoice } from '../../ui/look/look-choice.tsx'
import { LookToggle } from '../../ui/look/look-toggle.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { PageHeader, Panel } from '../../ui/page.tsx'
import { Avatar } from '../../ui/pictures/avatar.tsx'
import { Cover } from '../../ui/pictures/cover.tsx'
import { ImageRow } from '../../ui/pictures/image-row.tsx'
import { LargeImages } from '../../ui/pictures/large-images.tsx'
import { Lightbox, LightboxPane } from '../../ui/pictures/lightbox.tsx'
import { Logo } from '../../ui/pictures/logo.tsx'
import * as pictograms from '../../ui/pictures/pictograms.tsx'
import { Portrait } from '../../ui/pictures/portrait.tsx'
import { portraitNames } from '../../ui/pictures/portrait-names.ts'
import { QrCode } from '../../ui/pictures/qr-code.tsx'
import { Weave } from '../../ui/pictures/weave.tsx'
import { ReadinessAlerts } from '../../ui/readiness-alerts.tsx'
import { RenameDialog } from '../../ui/rename-dialog.tsx'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { isGroupNumber, JoinGroupDialog } from '../../ui/share/join-group-dialog.tsx'
import { ShareForm } from '../../ui/share/share-form.tsx'
import { ShareList } from '../../ui/share/share-list.tsx'
import { SharedCount, SharedFull } from '../../ui/share/shared-count.tsx'
import { SplitChoice } from '../../ui/split-choice.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { StepCount } from '../../ui/step-count.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import styles from './dev-ui.module.css'

const manyNumbers = Array.from({ length: 1000 }, (_, index) => index + 1)
const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAHqcpwAAACwAAAAAAQABAAACAkQBADs='
const rowImages = [
  { id: 'one', width: 3, height: 2, urls: { preview: picture, whole: picture }, label: 'Enlarge image 1' },
  { id: 'two', width: 1, height: 1, urls: null, label: 'Enlarge image 2' },
]

/** By file of `ui`; a test finds the one that is not here. */
export const pieces: Record<string, ComponentType> = {
  'button.tsx': Buttons,
  'charts/day-bars.tsx': () => (
    <DayBars
      title="Runs"
      summary="12"
      bars={[
        { label: '1 May', value: 4, trouble: 1 },
        { label: '2 May', value: 0 },
        { label: '3 May', value: 8 },
      ]}
      format={String}
      columns={{ day: 'Day', value: 'Runs' }}
      ends={['1 May', '3 May']}
    />
  ),
  'charts/spark.tsx': () => (
    <div style={{ width: 140, height: 44 }}>
      <Spark values={[0.5, 0.8, 0.7, 0.9]} />
    </div>
  ),
  'charts/square-chart.tsx': () => (
    <SquareChart
      title="ROC"
      x="1 − specificity"
      y="Sensitivity"
      points={[
        [0, 0],
        [0.1, 0.7],
        [1, 1],
      ]}
      guide="diagonal"
    />
  ),
  'choice-option.tsx': Choices,
  'clock.tsx': Clock,
  'confirm-remove.tsx': Removal,
  'empty-state.tsx': () => (
    <>
      <EmptyState title="Nothing has been trained yet" text="What would be here, and how to begin." />
      <EmptyState title="No folder" action={<Button>New folder</Button>} heading="h2" />
    </>
  ),
  'error-state.tsx': () => (
    <>
      <ErrorState error={new Error('unknown')} />
      <ErrorState error={new Error('unknown')} retry={() => toast.warning('Tried again')} />
    </>
  ),
  'facts.tsx': () => (
    <div className={styles.half}>
      <Facts
        facts={[
          ['What it is called', 'What it is'],
          ['Without a value', null],
        ]}
      />
    </div>
  ),
  'foreseen-time.tsx': () => <ForeseenTime seconds={480} isSure />,
  'look/language-select.tsx': () => <LanguageSelect />,
  'lazy-part.tsx': () => (
    <div className={styles.half}>
      <Lost />
    </div>
  ),
  'limits/limit-meter.tsx': () =>
    [0, 4, 5, 6].map((used) => (
      <div key={used} className={styles.half}>
        <LimitMeter
          label={`${used} of 6 projects`}
          used={used}
          limit={6}
          action={<Button look="quiet">Tidy up</Button>}
        />
      </div>
    )),
  'pictures/lightbox.tsx': Enlarging,
  'line-button.tsx': () => (
    <>
      <LineButton title="2 pictures look almost the same" action="See them" onClick={() => undefined} />
      <LineButton tone="warning" title="3 files were set aside" action="Why" onClick={() => undefined} />
    </>
  ),
  'list-pages.tsx': () => <ListPages page={2} pageSize={20} total={75} onPage={() => undefined} />,
  'loading.tsx': () => (
    <>
      <Loading count={2} />
      <Loading shape="cards" count={3} />
      <Loading shape="page" count={2} />
    </>
  ),
  'look/look-choice.tsx': LookChoice,
  'look/look-toggle.tsx': LookToggle,
  'more-button.tsx': () => (
    <>
      <MoreButton query={{ hasNextPage: true, isFetchingNextPage: false, fetchNextPage: () => undefined }} />
      <MoreButton query={{ hasNextPage: true, isFetchingNextPage: true, fetchNextPage: () => undefined }} />
    </>
  ),
  'number-field.tsx': () => <NumberField aria-label="Epochs" min={1} defaultValue={30} />,
  'page.tsx': () => (
    <div className={styles.wide}>
      <PageHeader
        title="With all of it"
        subtitle="Below the title"
        back="/dev/ui"
        actions={<Button>Act</Button>}
      />
      <PageHeader title="With the title alone" />
      <Panel title="A panel" extra={<Button look="quiet">Beside</Button>}>
        What it holds
      </Panel>
    </div>
  ),
  'page-boundary.tsx': () => <ErrorState error={new Error('unknown')} retry={() => undefined} />,
  'long-list.tsx': () => (
    <LongList items={manyNumbers} keyOf={String} label="A thousand rows" rowHeight={24}>
      {(number) => `Row ${number}`}
    </LongList>
  ),
  'pictures/avatar.tsx': () => (
    <>
      <Avatar name="Demo" />
      <Avatar name="王" size={48} />
      <Avatar name="Ж" size={64} />
    </>
  ),
  'pictures/cover.tsx': () => <Cover url={picture} />,
  'pictures/image-row.tsx': () => <ImageRow images={rowImages} goneText="No longer available" />,
  'pictures/large-images.tsx': OpenedImages,
  'pictures/logo.tsx': () => (
    <>
      <Logo />
      <Logo wordmark={false} size={48} />
    </>
  ),
  'pictures/pictograms.tsx': () => Object.entries(pictograms).map(([name, Icon]) => <Icon key={name} />),
  'pictures/portrait.tsx': () => portraitNames.map((name) => <Portrait key={name} name={name} size={64} />),
  'pictures/qr-code.tsx': () => <QrCode text="https://example.org" label="A QR code" />,
  'pictures/weave.tsx': () => (
    <div className={styles.half}>
      <Weave answers={['Chest', 'Head', 'Cells']} />
    </div>
  ),
  'readiness-alerts.tsx': () => (
    <div className={styles.wide}>
      <ReadinessAlerts
        task="classification"
        suggestion={{
          blockers: [{ name: 'labels_too_few', params: {} }],
          cautions: [{ name: 'sizes_differ', params: { least: 64, most: 512 } }],
        }}
      />
    </div>
  ),
  'rename-dialog.tsx': Rename,
  'save-dialog.tsx': Save,
  'scroll-region.tsx': () => (
    <ScrollRegion name="A wide row" className={styles.row}>
      A row that is wider than its place moves by itself, with the mouse, a finger and the keyboard.
    </ScrollRegion>
  ),
  'share/join-group-dialog.tsx': JoinGroup,
  'share/share-form.tsx': () => (
    <div className={styles.half}>
      <ShareForm rights={rights} first="view" onShare={async () => ({ member: { nickName: 'Colleague' } })} />
    </div>
  ),
  'share/share-list.tsx': () => (
    <div className={styles.half}>
      <ShareList rights={rights} shares={[]} onChange={later} onWithdraw={later} />
      <ShareList rights={rights} shares={[shared]} onChange={later} onWithdraw={later} />
    </div>
  ),
  'share/shared-count.tsx': () => (
    <div className={styles.wide}>
      <SharedCount kinds={['datasets']} />
      <SharedFull kind="datasets" />
    </div>
  ),
  'split-choice.tsx': Splits,
  'state-mark.tsx': () =>
    (['waiting', 'running', 'asked', 'done', 'failed', 'cancelled'] as const).map((state) => (
      <StateMark key={state} state={state} text={state} />
    )),
  'step-count.tsx': () => <StepCount step={2} of={3} title="Data" />,
  'tab-links.tsx': () => (
    <TabLinks
      label="Tabs"
      current="b"
      tabs={['a', 'b', 'c'].map((key) => ({ key, label: `Tab ${key}`, to: `/dev/ui?tab=${key}` }))}
    />
  ),
  'limits/used-limit.tsx': () => (
    <div className={styles.wide}>
      <UsedLimit name="projects" />
    </div>
  ),
  'toaster.tsx': () =>
    (['success', 'warning', 'error'] as const).map((kind) => (
      <Button key={kind} look="quiet" onClick={() => toast[kind](`This is ${kind}`, { stack: true })}>
        {kind}
      </Button>
    )),
  'limits/upgrade-link.tsx': UpgradeLink,
  'limits/refusal-text.tsx': () => (
    <RefusalText
      error={new CallError({ name: 'plan_limit', code: 20101, message: 'No more.', params: {}, fields: {} })}
    />
  ),
}

const later = async () => undefined

const rights = [
  { value: 'view', label: 'May view' },
  { value: 'edit', label: 'May edit' },
] as const

const shared = {
  id: 'one',
  permission: 'view',
  member: { nickName: 'Colleague', photo: 'nurse-male', account: 'colleague@example.org' },
} as const

function Buttons() {
  return (['primary', 'quiet'] as const).map((look) => (
    <div key={look} className={styles.wide}>
      <div className={styles.states}>
        <Button look={look}>Press</Button>
        <Button look={look} size="large">
          Large
        </Button>
        <Button look={look} busy>
          Busy
        </Button>
        <Button look={look} disabled>
          Not now
        </Button>
        <ButtonLink look={look} to="/dev/ui">
          A link
        </ButtonLink>
      </div>
    </div>
  ))
}

function Choices() {
  const [chosen, setChosen] = useState('a')
  return ['a', 'b'].map((id) => (
    <div key={id} className={styles.half}>
      <ChoiceOption
        group="dev"
        id={id}
        title={`Choice ${id}`}
        about="What it is for"
        isChosen={chosen === id}
        onChoose={() => setChosen(id)}
      />
    </div>
  ))
}

function Splits() {
  const [isCross, choose] = useState(false)
  return (
    <SplitChoice
      facts={{ items: 60, patients: 20 }}
      cross={{ splits: 5, seed: 1 }}
      ratio={{ train: 4, test: 1 }}
      seconds={{ cross: 600, single: null }}
      isCross={isCross}
      onChoose={choose}
    />
  )
}

function Enlarging() {
  const [open, setOpen] = useState(false)
  const [zoom, setZoom] = useState(1)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Enlarge</Button>
      <Lightbox
        open={open}
        name="An image"
        caption="1 of 1"
        onBack={null}
        onNext={null}
        zoom={zoom}
        onZoom={setZoom}
        onClose={() => setOpen(false)}
      >
        <LightboxPane zoom={zoom} onZoom={setZoom}>
          <Weave answers={['Chest', 'Head', 'Cells']} />
        </LightboxPane>
      </Lightbox>
    </>
  )
}

function Removal() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        Delete …
      </Button>
      <ConfirmRemove
        open={open}
        title="Delete “Knee”?"
        text="It can be brought back for 30 days."
        onConfirm={later}
        onClose={() => setOpen(false)}
      />
    </>
  )
}

function Rename() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        Rename …
      </Button>
      {isOpen && (
        <RenameDialog
          title="Rename the folder"
          label="Folder name"
          name="Knee"
          maxLength={50}
          isBusy={false}
          onRename={() => setOpen(false)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

function JoinGroup() {
  const [isOpen, setOpen] = useState(false)
  const [number, setNumber] = useState('')
  const group = { name: 'Knees', facts: '12 members', introduction: '', joined: false, hasPassword: true }
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        Join a group …
      </Button>
      {isOpen && (
        <JoinGroupDialog
          texts={{
            title: 'Join a group',
            join: 'Join',
            number: 'Number',
            numberHelp: 'Six digits and more find one here.',
            password: 'Password',
            joined: 'You are in it already.',
          }}
          number={number}
          onNumber={setNumber}
          group={isGroupNumber(number) ? group : undefined}
          mostPassword={50}
          error={null}
          isBusy={false}
          onJoin={() => setOpen(false)}
          onTyped={() => undefined}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

function Save() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        Decide …
      </Button>
      {isOpen && (
        <SaveDialog title="A decision" isDisabled={false} onSave={later} onClose={() => setOpen(false)}>
          What is decided.
        </SaveDialog>
      )}
    </>
  )
}

const Lost = lazyPart(() => Promise.reject(new Error('lost')))

function OpenedImages() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Open two images</Button>
      {isOpen && (
        <LargeImages
          urls={[picture, picture]}
          current={0}
          onChange={() => undefined}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}
