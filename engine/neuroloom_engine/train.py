"""One training run from data to exported weights, to be read from top to bottom. Knows no task's metrics."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from torch import Tensor

from . import export, pooled
from .begin import begin_with
from .checkpoint import Checkpoint
from .control import Control
from .data.masks import text_of
from .data.split import Parts, split
from .events import Emitter
from .failures import RunFailure, Stopped
from .memory import check_estimate
from .network import build_network
from .optim import learning_rate, make_optimizer, set_rate
from .parallel import Gradients
from .precision import precision_of
from .predict import Predictor
from .prepare import Prepared, check_fit, data_hash, fold_rows, prepare_data
from .preview import Preview
from .session import Session
from .spec import Hyper, Manifest, NetworkSpec
from .state import FoldResult, Model, from_checkpoint, restore, snapshot
from .tasks.decision import Decision, decided
from .tasks.losses import Loss
from .tasks.result import Evaluation, OnAnswer, Values
from .tasks.scores import mean
from .tasks.task import draws_of, task_of

# At the end of an epoch, but not so often that short epochs pay for it; within long epochs also between.
CHECKPOINT_MIN_SECONDS, CHECKPOINT_MAX_SECONDS = 5.0, 30.0
# After this share of the epochs a loss that has not fallen by so much will not.
PLATEAU_SHARE, PLATEAU_FALL = 0.25, 0.02
# After this share of the epochs a rate that comes down to nothing is so low that weights hardly jump.
SETTLED_FROM = 0.8


def train(spec: NetworkSpec, manifest: Manifest, emitter: Emitter, control: Control) -> tuple[Values, str]:
    """The whole run; returns the final metrics and the digest of the weights."""
    # What is asked for, and where an earlier attempt left off
    check_estimate(spec)
    check_fit(spec, manifest)
    session = Session(spec, manifest, emitter, control)
    found = session.resume()
    session.report_started(found is not None)

    # Data: in k-fold every item is needed, else the test side stays unread
    emitter.emit("phase", phase="preparing", counts=None)
    folds = split(manifest.items, spec.validation)
    is_kfold = spec.validation.method == "kfold"
    needed = {
        index
        for parts in folds
        for index in parts.train + parts.validation + (parts.test if is_kfold else [])
    }
    # A resumed run that is to end for good still needs its data: their rules go into what is exported
    data = prepare_data(spec, manifest, sorted(needed), emitter, Control() if found else control)
    rows = [fold_rows(data, parts, emitter, fold) for fold, parts in enumerate(folds)]

    # Folds, each with its own network and optimiser
    for fold in range(session.at.fold, len(folds)):
        try:
            model = make_model(session, data, rows[fold], found if fold == session.at.fold else None)
            found = None
            train_fold(session, model, data, rows[fold], len(folds[fold].test))
            finish_fold(session, model, data, rows[fold])
        except Stopped:
            if session.model is not None:
                session.save(session.model, "stop")
            if not control.is_final or not keep_what_was_learned(session):
                raise
            raise Stopped(*export_results(session, data, rows)) from None

    # Export what the best fold's best epoch learned
    return export_results(session, data, rows)


def make_model(session: Session, data: Prepared, rows: Parts, found: Checkpoint | None) -> Model:
    spec = session.spec
    network = build_network(spec.plan, session.task.NETWORK_TASK, spec.hyper.seed + session.at.fold)
    # A checkpoint holds all that came of them since
    taken = begin_with(spec, network) if found is None else None
    network = network.to(session.device)
    optimizer = make_optimizer(network, spec.hyper)
    precision = precision_of(session.device, spec.hyper, (node.op for node in network.plan.nodes))
    gradients = Gradients(network, session.device, spec.device.threads, session.task.IS_JOINT, precision)
    rule = session.task.normalisation(data.dataset, rows.train)
    session.model = Model(network, optimizer, gradients, rule)
    if found is not None:
        from_checkpoint(found, session.model)
    if taken is not None:
        session.report_taken(taken)
    return session.model


def train_fold(session: Session, model: Model, data: Prepared, rows: Parts, kept_aside: int) -> None:
    """Epochs with their validations, until the last one or until validation makes no more progress."""
    hyper, at = session.spec.hyper, session.at
    criterion = session.task.loss(data.dataset, rows.train, hyper)
    preview = Preview(session.spec, session.emitter, rows.validation, data.dataset)
    counts = {"train": len(rows.train), "validation": len(rows.validation), "test": kept_aside}
    session.emitter.emit("phase", phase="training", counts=counts)
    session.pace.begin_fold(len(rows.validation), kept_aside)
    while at.epoch <= hyper.epochs:
        train_epoch(session, model, data, rows, criterion)
        is_due = at.epoch % hyper.validation_interval == 0 or at.epoch == hyper.epochs
        session.pace.begin()
        is_best = is_due and validate(session, model, data, rows, preview)
        if is_due:
            session.pace.checked()
        is_over = 0 < hyper.patience <= at.waited
        at.epoch, at.step, at.loss_sum, at.seen = hyper.epochs + 1 if is_over else at.epoch + 1, 0, 0.0, 0
        if session.seconds_since_checkpoint > CHECKPOINT_MIN_SECONDS or at.epoch > hyper.epochs:
            session.save(model, "best" if is_best else "last")


def train_epoch(session: Session, model: Model, data: Prepared, rows: Parts, criterion: Loss) -> None:
    """The steps of one epoch, from wherever the position stands."""
    hyper, at = session.spec.hyper, session.at
    batches = epoch_batches(
        rows.train * draws_of(session.spec.task),
        hyper.batch_size,
        np.random.default_rng((hyper.seed, at.fold, at.epoch)),
    )
    rate = hyper.learning_rate
    model.gradients.train()
    session.pace.begin()
    while at.step < len(batches):
        session.control.check()
        rate = learning_rate(hyper, at.epoch, at.step / len(batches), at.plateau_factor)
        set_rate(model.optimizer, rate)
        chosen = batches[at.step]
        rng = np.random.default_rng((hyper.seed, at.fold, at.epoch, at.step))
        images, targets = session.task.batch(data.dataset, chosen, model.rule, hyper, rng)
        loss = train_step(model, images.to(session.device), targets.to(session.device), criterion)
        if not math.isfinite(loss):
            raise RunFailure(
                "loss_not_finite", {"epoch": at.epoch, "step": at.step + 1, "learningRate": rate}
            )
        at.step += 1
        at.loss_sum += loss * len(chosen)
        at.seen += len(chosen)
        session.report_step(len(batches), len(chosen), rate)
        if session.seconds_since_checkpoint > CHECKPOINT_MAX_SECONDS:
            session.save(model, "last")
    model.gradients.settle()
    session.report_metrics("train", train_values(session, rate), False)


def train_step(model: Model, images: Tensor, targets: Tensor, criterion: Loss) -> float:
    """One update; a loss that is not finite is returned before it can touch the weights.

    In 16 bits a gradient may not fit: that step is left out, and only where none fits any more all is lost.
    """
    precision = model.gradients.precision
    loss = model.gradients.compute(images, targets, criterion)
    if not math.isfinite(loss):
        return loss
    if precision.settle(model.network.parameters()):
        model.optimizer.step()
    return math.nan if precision.is_lost else loss


def epoch_batches(rows: list[int], batch_size: int, rng: np.random.Generator) -> list[list[int]]:
    """A new order each epoch, in batches as equal as can be.

    A last batch of one would break batch normalisation.
    """
    order = rng.permutation(np.array(rows if len(rows) > 1 else rows * 2))
    return [part.tolist() for part in np.array_split(order, math.ceil(len(order) / batch_size))]


def train_values(session: Session, rate: float) -> Evaluation:
    at = session.at
    loss = at.loss_sum / max(1, at.seen)
    at.first_loss = loss if at.first_loss is None else at.first_loss
    if at.epoch == max(4, round(session.spec.hyper.epochs * PLATEAU_SHARE)) and loss > at.first_loss * (
        1 - PLATEAU_FALL
    ):
        session.emitter.emit("warning", code="loss_plateau", data={"epoch": at.epoch, "loss": loss})
    return Evaluation({"loss": loss, "learningRate": rate}, [], None)


def validate(session: Session, model: Model, data: Prepared, rows: Parts, preview: Preview) -> bool:
    """Metrics of this epoch on the validation part.

    True when they are the best so far, whose weights are then kept.
    """
    at, hyper = session.at, session.spec.hyper
    evaluation = evaluate(session, model, data, rows.validation, preview.on_answer)
    score = score_of(session.task.SELECTS, evaluation.values)
    settles = has_settled(hyper, at.epoch) and at.best is not None and not has_settled(hyper, at.best.epoch)
    is_best = at.best is None or settles or is_better(score, evaluation.values, at.best)
    if is_best:
        decision = None if evaluation.decision is None else evaluation.decision.to_json()
        at.best = FoldResult(at.epoch, score, evaluation.values, {}, decision)
        session.weights.best = snapshot(model.network)
        at.waited = at.plateau_waited = 0
    else:
        at.waited += 1
        at.plateau_waited += hyper.validation_interval
        if at.plateau_waited >= hyper.decay_interval:
            at.plateau_factor, at.plateau_waited = at.plateau_factor * hyper.decay_ratio, 0
    at.history.append({"fold": at.fold, "epoch": at.epoch, **evaluation.values})
    session.report_metrics("validation", evaluation, is_best)
    preview.send(at.fold, at.epoch, evaluation)
    return is_best


def has_settled(hyper: Hyper, epoch: int) -> bool:
    """Whether a rate that comes down to nothing has nearly done so.

    Before, weights jump: the best of many epochs on a small validation part is then mere luck.
    """
    return hyper.scheduler in ("onecycle", "cosine") and epoch > SETTLED_FROM * hyper.epochs


def score_of(name: str, values: Values) -> float:
    """More is better, also of a loss.

    Where the value is not defined, as without a labelled item, it is 0: between epochs the loss then chooses.
    """
    value = values[name] or 0.0
    return -value if name == "loss" else value


def is_better(score: float, values: Values, best: FoldResult) -> bool:
    """By score; between equal scores, common on small validation parts, by loss."""
    if score != best.score:
        return score > best.score
    loss, lowest = values["loss"], best.validation["loss"]
    return loss is not None and (lowest is None or loss < lowest)


def finish_fold(session: Session, model: Model, data: Prepared, rows: Parts) -> None:
    """Keeps the fold's best weights if they beat the earlier folds'.

    In k-fold also looks at the fold's test side.
    """
    at = session.at
    assert at.best is not None
    result = at.best
    if session.spec.validation.method == "kfold" and rows.test:
        session.emitter.emit("phase", phase="testing", counts={"test": len(rows.test)})
        restore(model.network, session.weights.best)
        tested = judged(data, result)
        listener = pooled.FoldTest(session.spec, task_of(session.spec.task), tested.dataset)
        evaluation = evaluate(session, model, tested, rows.test, listener.hear)
        session.report_metrics("test", evaluation, False)
        listener.keep(at.fold, evaluation.items)
        result = replace(result, test=evaluation.values)
    if not at.folds or result.score > at.folds[at.kept_fold].score:
        at.kept_fold = at.fold
        session.weights.kept = session.weights.best
    at.folds.append(result)
    if len(at.folds) < session.spec.validation.folds:
        at.next_fold()
        session.weights.best = {}


def judged(data: Prepared, result: FoldResult) -> Prepared:
    """The data, to be tested with the thresholds that the fold's validation chose."""
    decision = None if result.decision is None else Decision.from_json(result.decision)
    return replace(data, dataset=decided(data.dataset, decision))


def keep_what_was_learned(session: Session) -> bool:
    """Takes the running fold's best epoch for its result; false when no epoch was validated yet."""
    at = session.at
    if at.best is not None:
        if not at.folds or at.best.score > at.folds[at.kept_fold].score:
            at.kept_fold = at.fold
            session.weights.kept = session.weights.best
        at.folds.append(at.best)
    return bool(at.folds)


def evaluate(
    session: Session, model: Model, data: Prepared, rows: list[int], on_answer: OnAnswer
) -> Evaluation:
    with Predictor(model.network, session.device) as predictor:
        return session.task.evaluate(
            predictor,
            data.dataset,
            rows,
            model.rule,
            session.spec.hyper,
            lambda done: session.control.check(),
            on_answer,
        )


def export_results(session: Session, data: Prepared, rows: list[Parts]) -> tuple[Values, str]:
    """Weights and ONNX of the kept fold.

    Final metrics are its validation, or those of all folds' test sides together.
    """
    spec, at, model = session.spec, session.at, session.model
    assert model is not None
    session.emitter.emit("phase", phase="exporting", counts=None)
    rule = session.task.normalisation(data.dataset, rows[at.kept_fold].train)
    about = {
        "task": spec.task,
        "planHash": spec.plan_hash,
        "dataHash": data_hash(data.manifest),
        "classes": list(data.manifest.classes),
        "channels": data.manifest.channels,
        "maskValues": {text_of(value): index for value, index in data.manifest.mask_values.items()},
        "imageSize": list(spec.hyper.image_size),
        "normalisation": rule.to_json(),
        "fold": at.kept_fold,
        "epoch": at.folds[at.kept_fold].epoch,
        "validation": at.folds[at.kept_fold].validation,
        "decision": at.folds[at.kept_fold].decision,
        # How the files were prepared before they became images of the data set, for whoever has others.
        "recipe": spec.raw.get("recipe"),
        # How pictures of DICOM are drawn for it.
        "dicom": {"window": data.manifest.window},
    }
    weights = spec.out / "weights.safetensors"
    restore(model.network, session.weights.kept)
    deployed = session.task.deploy(model.network, rule)
    usage = export.usage_of(model.network, deployed, about, model.network.is_size_free)
    digest = export.save_weights(weights, session.weights.kept, usage)
    export.announce(session.emitter, "weights", spec.folder, weights)
    export.try_exports(session.emitter, spec, model.network, deployed, about)
    tested = [fold for fold in at.folds if fold.test]
    return final_metrics(tested or at.folds, bool(tested)) | of_all_folds(session, data, tested), digest


def of_all_folds(session: Session, data: Prepared, tested: list[FoldResult]) -> Values:
    """What k-fold says of all items together, with its evidence; nothing when it was stopped before."""
    spec = session.spec
    if spec.validation.method != "kfold" or len(tested) < spec.validation.folds:
        return {}
    found = pooled.pool(spec, data.dataset.items, data.manifest.classes, tested)
    if found is None:
        return {}
    evaluation, evidence = found
    evidence["cross"]["kept"] = session.at.kept_fold
    fields = evaluation.to_json()
    session.emitter.emit("pooled", perClass=fields["perClass"], confusion=fields["confusion"])
    table = task_of(spec.task).report(evaluation, data.dataset)
    export.save_results(session.emitter, spec, (evaluation.items, evidence, table))
    return evaluation.values


def final_metrics(folds: list[FoldResult], is_kfold: bool) -> Values:
    """Hold-out: the best epoch's validation.

    K-fold: mean over the folds' test sides, and the spread as `…Sd`.
    """
    if not is_kfold:
        return folds[0].validation
    values: Values = {}
    for name in folds[0].test:
        column = [fold.test.get(name) for fold in folds]
        values[name] = mean(column)
        known = [value for value in column if value is not None]
        values[f"{name}Sd"] = float(np.std(known, ddof=1)) if len(known) > 1 else None
    return values
