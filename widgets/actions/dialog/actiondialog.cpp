// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/dialog/actiondialog.h"

#include "backend/acting/execution/takencheck.h"
#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/session/session.h"
#include "backend/session/sessionacting.h"
#include "widgets/actions/parameterform.h"
#include "widgets/actions/plan/planfollower.h"
#include "widgets/actions/plan/planview.h"
#include "widgets/actions/plan/planwording.h"
#include "widgets/actions/plan/receiptview.h"
#include "widgets/actions/plan/stepmodel.h"
#include "widgets/controls/input/dangerbutton.h"
#include "widgets/theme/breakabletext.h"
#include "widgets/theme/theme.h"

#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace lk {

namespace {

constexpr int actionDialogDialogWidth = 640;

QString sentence(const QString& summary)
{
    return summary.isEmpty() ? summary
                             : summary.left(1).toUpper() + summary.mid(1) + QLatin1Char('.');
}

QLabel* wrapped(const QString& text, TextSize size)
{
    auto* label = new QLabel(breakable(text, 50));
    label->setFont(uiFont(size));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText); // what a server holds is never markup
    if (text.isEmpty())
        label->hide();
    return label;
}

} // namespace

ActionDialog* ActionDialog::open(Session* session, ActionDraft draft, QWidget* over)
{
    auto* dialog = new ActionDialog(session, std::move(draft), over->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->QDialog::open();
    dialog->begin();
    return dialog;
}

ActionDialog::ActionDialog(Session* session, ActionDraft draft, QWidget* parent)
    : PlanDialog(session, actionDialogDialogWidth, parent)
    , m_draft(std::move(draft))
    , m_each(m_draft.targets.size() > 1)
    , m_follower(new PlanFollower(session, this))
    , m_back(new QPushButton(tr("&Back")))
    , m_next(new QPushButton(tr("&Plan")))
{
    setWindowTitle(tr("%1 – Lockkeeper").arg(titleOf(m_draft)));
    buildForm();
    buildButtons({m_back}, {m_next});
    connect(m_back, &QPushButton::clicked, this, [this] { go(Step::Parameters); });
    connect(m_next, &QPushButton::clicked, this, &ActionDialog::plan);
    connect(m_follower, &PlanFollower::changed, this, &ActionDialog::onStale);
    connect(&session->acting(), &SessionActing::planned, this, &ActionDialog::onPlanned);
    connect(&session->acting(), &SessionActing::planDropped, this, &ActionDialog::onPlanDropped);
    connect(&session->acting(), &SessionActing::refreshed, this, &ActionDialog::onRefreshed);
    connect(&session->acting(), &SessionActing::receiptReady, this, &ActionDialog::onReceipt);
    connect(&session->acting(), &SessionActing::runFinished, this, &ActionDialog::onFinished);
    connect(&session->acting(), &SessionActing::takenSeen, this,
            [this](const QByteArray& receipt, const QString& text) {
                if (receipt == m_watched && step() == Step::Receipt)
                    receiptView().showTaken(text);
            });
    connect(&session->acting(), &SessionActing::writeModeChanged, this,
            &ActionDialog::updateButtons);
}

ActionDialog::~ActionDialog()
{
    discardPlans();
}

void ActionDialog::buildForm()
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    if (m_draft.action) {
        m_form = new ParameterForm(m_draft.action->parameters(), m_draft.items);
        for (const ActionParameter& parameter : m_draft.action->parameters()) {
            if (m_draft.targets.empty())
                continue;
            const auto known = knownValue(parameter, *m_draft.targets.front());
            if (known && isMany())
                m_form->leaveOut(parameter.name); // each has its own
            else if (known)
                m_form->prefill(parameter.name, *known);
        }
        for (const auto& [name, value] : m_draft.given)
            m_form->prefill(name, value);
        for (const auto& [name, value] : m_draft.withItems)
            m_form->bindToItems(name, value);
        layout->addWidget(
            wrapped(isMany() || m_draft.targets.empty()
                        ? titleOf(m_draft)
                        : tr("%1 – %2").arg(titleOf(m_draft),
                                            shownName(*m_draft.targets.front()->primitive)),
                    TextSize::Title));
        layout->addWidget(wrapped(sentence(m_draft.action->summary()), TextSize::Body));
        layout->addSpacing(12);
        layout->addWidget(m_form);
        connect(m_form, &ParameterForm::changed, this, [this] {
            updateButtons();
            fit();
        });
    }
    layout->addStretch(1);
    pages().insertWidget(0, page);
}

void ActionDialog::begin()
{
    if (m_form && m_form->isWorthAsking())
        go(Step::Parameters);
    else if (m_form)
        plan();
    else
        undo(m_draft.receipts);
}

// One request for all; each lock is asked about with its own owner.
void ActionDialog::plan()
{
    PlanRequest request;
    request.action = m_draft.action->id();
    request.layout = m_draft.layout;
    request.request = m_form->request();
    request.targets.reserve(m_draft.targets.size());
    for (const StatePtr& state : m_draft.targets) {
        PlanRequest::Target target{state->primitive};
        for (const ActionParameter& parameter : m_draft.action->parameters()) {
            const auto known = m_each ? knownValue(parameter, *state) : std::nullopt;
            if (known)
                target.own[parameter.name] = *known;
        }
        request.targets.push_back(std::move(target));
    }
    takeUp(request);
}

void ActionDialog::undo(const QByteArrayList& receipts)
{
    if (step() == Step::Running)
        return; // a running plan reports until its end
    receiptView().forget();
    m_draft = {nullptr, {}, {}, {}, receipts};
    PlanRequest request;
    request.action = QByteArrayLiteral("undo");
    request.receipts = receipts;
    takeUp(request);
}

void ActionDialog::onPlanned(const PlanSet& set)
{
    if (set.ticket != m_awaited)
        return;
    m_awaited = 0;
    m_set = set;
    if (!showAnswer())
        showPlan();
}

bool ActionDialog::showAnswer()
{
    if (m_set.plans.empty() || !m_set.plans.front().answer)
        return false;
    stepModel().setPlans(m_set);
    if (isMany())
        receiptView().showAnswers(titleOf(m_draft));
    else
        receiptView().showAnswer(m_set.plans.front(), serverOf(*session(), m_set));
    go(Step::Receipt);
    return true;
}

void ActionDialog::showPlan()
{
    stepModel().setPlans(m_set);
    const bool one = !isMany() && m_set.plans.size() == 1;
    const QString heading = headingOf(m_draft, m_set);
    planView().showPlan(m_set, heading, serverOf(*session(), m_set), !one && !m_set.plans.empty(),
                        toBeTyped(m_set, *session()));
    if (!m_set.plans.empty()) {
        runButton().setText(verbOf(m_set));
        runButton().setDangerous(m_draft.action && m_draft.action->removes());
    }
    if (isMany())
        setWindowTitle(tr("%1 – Lockkeeper").arg(heading));
    go(Step::Confirming);
    m_follower->follow(m_set, m_request);
}

void ActionDialog::agree()
{
    if (!session() || step() != Step::Confirming || !planView().isConfirmed())
        return;
    m_follower->stop();
    if (m_set.plans.size() > 1)
        receiptView().beginMany(tr("%1…").arg(verbOf(m_set)));
    go(Step::Running);
    session()->acting().run(m_set.ticket, planView().reason());
}

void ActionDialog::onReceipt(quint64 ticket, const Receipt& receipt)
{
    if (step() != Step::Running || ticket != m_set.ticket)
        return;
    stepModel().add(receipt);
    if (m_set.plans.size() > 1)
        receiptView().updateMany(false);
    else
        receiptView().showReceipt(
            receipt,
            QStringLiteral("%1 %2").arg(m_set.plans.front().verb,
                                        displayName(m_set.plans.front().journalName)),
            serverOf(*session(), m_set));
    if (size_t(stepModel().done()) == m_set.plans.size())
        watchTaken(receipt);
}

// The last of several steps stands for all: workers take jobs in their order.
void ActionDialog::watchTaken(const Receipt& receipt)
{
    m_watched.clear();
    const Plan& plan = m_set.plans.back();
    if (m_draft.targets.size() != 1 || !TakenCheck::applies(plan, receipt))
        return;
    m_watched = receipt.id;
    receiptView().showTaken(tr("waiting for a worker to take the jobs\u2026"));
    session()->acting().watchTaken(plan, receipt, m_draft.targets.front()->primitive);
}

void ActionDialog::onFinished(quint64 ticket)
{
    if (step() != Step::Running || ticket != m_set.ticket)
        return;
    stepModel().finish();
    if (m_set.plans.size() > 1)
        receiptView().updateMany(true);
    m_set = {}; // with it goes a code that was to be shown once
    go(Step::Receipt);
}

void ActionDialog::go(Step step)
{
    enter(step);
    if (step == Step::Planning)
        planView().showWaiting(titleOf(m_draft));
    const bool many = m_set.plans.size() > 1;
    if (step == Step::Parameters)
        pages().setCurrentIndex(0);
    else if (step == Step::Receipt || (step == Step::Running && many))
        pages().setCurrentWidget(&receiptView());
    else
        pages().setCurrentWidget(&planView());
    planView().setEnabled(step != Step::Running);
    updateButtons();
    fit();
    if (step == Step::Parameters) {
        m_next->setDefault(true);
        m_form->focusFirst();
    } else {
        QPushButton* first =
            step == Step::Receipt && canPlanAgain() ? &againButton() : &cancelButton();
        first->setDefault(true);
        first->setFocus();
    }
}

void ActionDialog::updateButtons()
{
    if (!session())
        return;
    m_back->setVisible(m_form && m_draft.action && m_form->hasFields() &&
                       (step() == Step::Confirming || (step() == Step::Receipt && !writes())));
    m_next->setVisible(step() == Step::Parameters);
    m_next->setEnabled(m_form && m_form->isComplete());
    m_next->setText(writes() ? tr("&Plan") : tr("&Check"));
    const auto plans = isOfOne(m_set) ? 1 : m_set.plans.size();
    const bool lost = size_t(m_follower->stale().size()) >= plans;
    showButtons(!m_set.plans.empty(), !lost);
    if (step() == Step::Confirming)
        planView().setHint(hint());
}

QString ActionDialog::hint() const
{
    if (m_set.plans.empty())
        return {};
    if (!session()->acting().canAct())
        return tr("This session has no journal, so it is read-only.");
    return session()->acting().isWriteModeOn()
               ? planView().missing()
               : tr("Nothing was sent: the session is read-only. Turn on write "
                    "mode to continue.");
}

void ActionDialog::stopRun()
{
    session()->acting().stopRun(m_set.ticket);
}

} // namespace lk
