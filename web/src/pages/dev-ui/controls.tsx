import {
  Alert,
  Button,
  Checkbox,
  Form,
  Input,
  Progress,
  Radio,
  Select,
  Slider,
  Switch,
  Table,
  Tabs,
  Tag,
  Tooltip,
} from 'antd'
import styles from './dev-ui.module.css'

const options = [
  { value: 'unet', label: 'U-Net' },
  { value: 'resnet', label: 'ResNet' },
]

/** What pages take from Ant Design as it is. */
export function Controls() {
  return (
    <>
      <Button type="primary">Train</Button>
      <Button>Cancel</Button>
      <Button danger>Delete</Button>
      <Button type="primary" danger>
        Delete
      </Button>
      <Button type="text">Text</Button>
      <Button type="link">Link</Button>
      <Button type="primary" loading>
        Busy
      </Button>
      <Button type="primary" disabled>
        Not now
      </Button>
      <Form layout="vertical" className={styles.half}>
        <Form.Item label="Name" extra="Shown to whoever you share it with.">
          <Input placeholder="Knee" />
        </Form.Item>
        <Form.Item label="Name" validateStatus="error" help="Please give it a name.">
          <Input />
        </Form.Item>
        <Form.Item label="Locked">
          <Input disabled value="small_unet" />
        </Form.Item>
        <Form.Item label="Network">
          <Select aria-label="Network" defaultValue="unet" options={options} />
        </Form.Item>
      </Form>
      <div className={styles.half}>
        <Checkbox defaultChecked>Chosen</Checkbox>
        <Checkbox>Not chosen</Checkbox>
        <Checkbox disabled>Not now</Checkbox>
        <div>
          <Radio.Group defaultValue="unet" options={options} />
        </div>
        <Switch aria-label="On" defaultChecked /> <Switch aria-label="Off" />{' '}
        <Switch aria-label="Not now" disabled />
        <Slider aria-label="Window" defaultValue={40} />
        <Progress aria-label="Under way" percent={42} />
        <Progress aria-label="Done" percent={100} status="success" />
        <Progress aria-label="Failed" percent={60} status="exception" />
        <div>
          {['default', 'cyan', 'gold', 'orange', 'red', 'blue', 'green'].map((colour) => (
            <Tag key={colour} color={colour}>
              {colour}
            </Tag>
          ))}
        </div>
        <Tooltip open title="What the mouse is told" placement="right">
          <span>Under the mouse</span>
        </Tooltip>
      </div>
      <div className={styles.wide}>
        {(['info', 'success', 'warning', 'error'] as const).map((kind) => (
          <Alert key={kind} type={kind} showIcon title={kind} description="What happened, and what helps." />
        ))}
        <Tabs items={['Curves', 'Pictures'].map((label) => ({ key: label, label, children: label }))} />
        <Table
          pagination={false}
          rowKey="name"
          columns={[
            { title: 'Class', dataIndex: 'name' },
            { title: 'Dice', dataIndex: 'dice' },
          ]}
          dataSource={[
            { name: 'liver', dice: '0.96' },
            { name: 'lesion', dice: '0.71' },
          ]}
        />
        <Table
          pagination={false}
          rowKey="name"
          columns={[{ title: 'Nothing', dataIndex: 'name' }]}
          dataSource={[]}
        />
      </div>
    </>
  )
}
