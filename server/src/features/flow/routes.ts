import type { flowCalls } from '@neuroloom/contract/flow/calls'
import type { flowRunCalls } from '@neuroloom/contract/flow/run-calls'
import type { flowSharpenCalls } from '@neuroloom/contract/flow/sharpen-calls'
import { signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { keepFigure, removeFigure } from './runs/figures.ts'
import { keepFile } from './runs/keep-file.ts'
import { addToProject, projectStudies, takeFromProject } from './runs/projects.ts'
import { keepSections } from './runs/sections.ts'
import { detail } from './runs/show.ts'
import { start } from './runs/start.ts'
import * as studies from './service.ts'
import { sharpen } from './sharpen/sharpen.ts'
import { sharpeners, training } from './sharpen/show.ts'
import { foresee, train } from './sharpen/train.ts'

export const rows: Rows<keyof typeof flowCalls | keyof typeof flowRunCalls | keyof typeof flowSharpenCalls> =
  {
    // Both are asked by pages while something is being looked at or made.
    'flow/studies': { access: signedIn, run: studies.list, keepsSession: false },
    'flow/study': { access: signedIn, run: studies.show, keepsSession: false },
    'flow/open': { access: signedIn, run: studies.open },
    'flow/phantom': { access: signedIn, run: studies.measure },
    'flow/settle': { access: signedIn, run: studies.settle },
    'flow/retry': { access: signedIn, run: studies.retry },
    'flow/rename': { access: signedIn, run: studies.rename },
    'flow/remove': { access: signedIn, run: studies.remove },
    'flow/projectStudies': { access: signedIn, run: projectStudies },
    'flow/addToProject': { access: signedIn, run: addToProject },
    'flow/takeFromProject': { access: signedIn, run: takeFromProject },
    'flow/start': { access: signedIn, run: start },
    'flow/run': { access: signedIn, run: detail },
    'flow/keepSections': { access: signedIn, run: keepSections },
    'flow/keepFigure': { access: signedIn, run: keepFigure },
    'flow/removeFigure': { access: signedIn, run: removeFigure },
    'flow/keepFile': { access: signedIn, run: keepFile },
    'flow/forecast': { access: signedIn, run: foresee },
    'flow/train': { access: signedIn, run: train },
    'flow/training': { access: signedIn, run: training },
    'flow/sharpeners': { access: signedIn, run: sharpeners },
    'flow/sharpen': { access: signedIn, run: sharpen },
  }
