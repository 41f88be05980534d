/** One line of a feature's routes.ts: which contract call, who may make it, which function answers. */
import type { Answer, Parsed, Path } from '@neuroloom/contract/calls'
import type { ModuleName } from '@neuroloom/contract/office/modules'
import type { Context } from '../infra/context.ts'
import type { administrator, anyone, Caller, Guest, signedIn } from './access.ts'

export type Row<P extends Path> =
  | {
      access: typeof anyone
      run: (ctx: Context, body: Parsed<P>, guest: Guest) => Promise<Answer<P>>
    }
  | {
      access: typeof signedIn | typeof administrator
      run: (ctx: Context, body: Parsed<P>, caller: Caller & Guest) => Promise<Answer<P>>
      /** `false`: a call that pages make by themselves; it does not keep an idle session alive. */
      keepsSession?: false
      /** Refused while this module is switched off. */
      module?: ModuleName
      /** `true`: also for somebody who has to change a printed password before anything else. */
      beforePassword?: true
      /** `true`: what a large body asks for takes its turn among all such works, from before it is checked. */
      inTurn?: true
    }

export type Rows<P extends Path> = { [K in P]: Row<K> }
