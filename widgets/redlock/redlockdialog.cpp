// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/redlock/redlockdialog.h"

#include "backend/core/names/environment.h"
#include "backend/core/names/keyname.h"
#include "backend/session/sessionacting.h"
#include "widgets/actions/plan/planview.h"
#include "widgets/actions/plan/receiptview.h"
#include "widgets/actions/plan/stepmodel.h"
#include "widgets/controls/input/dangerbutton.h"

#include <QLocale>
#include <QPushButton>
#include <QStackedWidget>

namespace lk {

namespace {

constexpr int dialogWidth = 680;
constexpr int longestTitle = 80; // characters of a name

std::vector<StepModel::Place> placesOf(const RedlockPlan& plan)
{
    std::vector<StepModel::Place> places;
    for (const QString& endpoint : plan.endpoints)
        places.push_back({endpoint, false});
    for (const RedlockPlan::Left& left : plan.left)
        places.push_back({left.endpoint, !left.isFailure});
    return places;
}

// Keys and commands are the same on each: they are said once.
PlanSet saidOnce(PlanSet set)
{
    for (size_t i = 1; i < set.plans.size(); ++i) {
        set.plans[i].keys.clear();
        set.plans[i].commands.clear();
    }
    return set;
}

} // namespace

RedlockDialog* RedlockDialog::open(Session* session, Redlocks* redlocks, size_t group,
                                   RedlockRequest request, QWidget* over)
{
    auto* dialog = new RedlockDialog(session, redlocks, group, std::move(request), over->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->QDialog::open();
    dialog->plan();
    return dialog;
}

RedlockDialog::RedlockDialog(Session* session, Redlocks* redlocks, size_t group,
                             RedlockRequest request, QWidget* parent)
    : PlanDialog(session, dialogWidth, parent)
    , m_redlocks(redlocks)
    , m_group(group)
    , m_request(std::move(request))
{
    buildButtons();
    connect(redlocks, &Redlocks::groupsChanged, this, &QWidget::close);
    connect(redlocks, &QObject::destroyed, this, &QWidget::close);
    connect(&session->acting(), &SessionActing::writeModeChanged, this,
            &RedlockDialog::onWriteMode);
}

RedlockDialog::~RedlockDialog()
{
    if (m_redlocks)
        m_redlocks->discard(m_release);
}

QString RedlockDialog::subject() const
{
    const QString name = displayPreview(m_request.name, longestTitle);
    return m_request.receipts.isEmpty() ? tr("Release %1").arg(name)
                                        : tr("Undo the release of %1").arg(name);
}

QString RedlockDialog::title() const
{
    return m_request.receipts.isEmpty() ? tr("%1 on all servers").arg(subject()) : subject();
}

void RedlockDialog::plan()
{
    if (!m_redlocks)
        return;
    setWindowTitle(tr("%1 – Lockkeeper").arg(title()));
    m_redlocks->discard(m_release);
    m_planned = {};
    m_release = m_redlocks->makeRelease(m_group);
    connect(m_release, &RedlockRelease::planned, this, &RedlockDialog::onPlanned);
    connect(m_release, &RedlockRelease::receiptReady, this, &RedlockDialog::onReceipt);
    connect(m_release, &RedlockRelease::finished, this, &RedlockDialog::onFinished);
    m_release->plan(m_request);
    go(Step::Planning);
}

void RedlockDialog::planAgain()
{
    if (canPlanAgain())
        plan();
}

bool RedlockDialog::canPlanAgain() const
{
    return step() == Step::Confirming || (step() == Step::Receipt && m_request.receipts.isEmpty());
}

void RedlockDialog::undo(const QByteArrayList& receipts)
{
    if (step() == Step::Running)
        return; // a running plan reports until its end
    m_request.receipts.clear();
    for (const QByteArray& receipt : receipts)
        m_request.receipts[m_endpoints.value(receipt)] << receipt;
    plan();
}

void RedlockDialog::onPlanned(const RedlockPlan& plan)
{
    if (sender() != m_release || !session())
        return; // one of these was on its way when another was begun
    m_planned = plan;
    const std::vector<Plan>& plans = plan.set.plans;
    stepModel().setPlans(plan.set, placesOf(plan));
    const int all = int(plan.rows().size());
    const QString some = tr("%1 on %2 of %3 servers?");
    const QString heading =
        plans.empty() ? tr("%1: there is nothing to do").arg(title())
        : int(plans.size()) == all
            ? tr("%1?").arg(title())
            : some.arg(subject(), QString::number(plans.size()), QString::number(all));
    const bool production = isProduction(session()->environment());
    planView().showPlan(saidOnce(plan.set), heading, tr("%Ln server(s)", nullptr, all), true,
                        production ? QString::number(plans.size()) : QString());
    if (!plans.empty()) {
        runButton().setText(
            tr("%1 (%2)").arg(plans.front().verb, QLocale().toString(plans.size())));
        runButton().setDangerous(m_request.receipts.isEmpty());
    }
    go(Step::Confirming);
}

void RedlockDialog::agree()
{
    if (!session() || !m_redlocks || step() != Step::Confirming || m_planned.set.plans.empty() ||
        !session()->acting().isWriteModeOn() || !planView().isConfirmed())
        return;
    m_received = 0;
    receiptView().beginMany(tr("%1…").arg(title()));
    go(Step::Running);
    m_release->run(planView().reason());
}

void RedlockDialog::onReceipt(const Receipt& receipt)
{
    if (step() != Step::Running)
        return;
    m_endpoints.insert(receipt.id, m_planned.endpoints.value(m_received++));
    stepModel().add(receipt);
    receiptView().updateMany(false);
}

void RedlockDialog::onFinished()
{
    if (step() != Step::Running)
        return;
    stepModel().finish();
    receiptView().updateMany(true);
    if (m_redlocks)
        m_redlocks->discard(std::exchange(m_release, nullptr));
    go(Step::Receipt);
}

// Write mode belongs to the window: when it ends, steps that have not begun are not run.
void RedlockDialog::onWriteMode()
{
    if (step() == Step::Running && session() && m_redlocks && !session()->acting().isWriteModeOn())
        m_release->stop();
    updateButtons();
}

void RedlockDialog::go(Step step)
{
    enter(step);
    if (step == Step::Planning)
        planView().showWaiting(title());
    if (step == Step::Running || step == Step::Receipt)
        pages().setCurrentWidget(&receiptView());
    else
        pages().setCurrentWidget(&planView());
    updateButtons();
    fit();
    cancelButton().setDefault(true);
    cancelButton().setFocus();
}

void RedlockDialog::updateButtons()
{
    if (!session())
        return;
    showButtons(!m_planned.set.plans.empty(), true);
    if (step() == Step::Confirming)
        planView().setHint(hint());
}

QString RedlockDialog::hint() const
{
    if (m_planned.set.plans.empty())
        return {};
    if (!session()->acting().isWriteModeOn())
        return tr("Nothing was sent: the session is read-only. Turn on write mode to continue.");
    const int failures = m_planned.failures();
    if (planView().missing().isEmpty() && failures > 0)
        return tr("It may stay held on %Ln server(s) that cannot be reached or refuse.", nullptr,
                  failures);
    return planView().missing();
}

void RedlockDialog::stopRun()
{
    if (m_redlocks)
        m_release->stop();
}

} // namespace lk
