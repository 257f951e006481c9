// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/actiondialog.h"

#include "backend/core/names/environment.h"
#include "backend/core/names/keyname.h"
#include "backend/core/names/redactedname.h"
#include "backend/session/session.h"
#include "widgets/actions/deploymentline.h"
#include "widgets/actions/parameterform.h"
#include "widgets/actions/plan/planfollower.h"
#include "widgets/actions/plan/planview.h"
#include "widgets/actions/plan/planwording.h"
#include "widgets/actions/plan/stepmodel.h"
#include "widgets/actions/receiptview.h"
#include "widgets/actions/writemode/writemode.h"
#include "widgets/controls/input/dangerbutton.h"
#include "widgets/controls/input/returnkey.h"
#include "widgets/theme/breakabletext.h"
#include "widgets/theme/theme.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace lk {

namespace {

constexpr int dialogWidth = 640;

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
    : QDialog(parent)
    , m_session(session)
    , m_draft(std::move(draft))
    , m_each(m_draft.targets.size() > 1)
    , m_follower(new PlanFollower(session, this))
    , m_pages(new QStackedWidget)
    , m_steps(new StepModel(this))
    , m_plan(new PlanView(m_steps))
    , m_receipt(new ReceiptView(m_steps))
{
    setWindowTitle(tr("%1 – Lockkeeper").arg(titleOf(m_draft)));
    buildForm();
    m_pages->addWidget(m_plan);
    m_pages->addWidget(m_receipt);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addLayout(deploymentLine(*session));
    layout->addWidget(m_pages, 1);
    buildButtons();
    setMinimumWidth(520);
    m_plan->setReasonRequired(isProduction(session->environment()));
    connect(m_plan, &PlanView::changed, this, &ActionDialog::updateButtons);
    connect(m_receipt, &ReceiptView::undoWanted, this, &ActionDialog::undo);
    connect(m_follower, &PlanFollower::changed, this, &ActionDialog::onStale);
    connect(session, &Session::planned, this, &ActionDialog::onPlanned);
    connect(session, &Session::planDropped, this, &ActionDialog::onPlanDropped);
    connect(session, &Session::refreshed, this, &ActionDialog::onRefreshed);
    connect(session, &Session::receiptReady, this, &ActionDialog::onReceipt);
    connect(session, &Session::runFinished, this, &ActionDialog::onFinished);
    connect(session, &Session::writeModeChanged, this, &ActionDialog::updateButtons);
    connect(session, &QObject::destroyed, this, &QWidget::close);
    // The window's own key does not reach through this dialog.
    auto* readOnly = new QShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), this);
    connect(readOnly, &QShortcut::activated, session, &Session::disableWriteMode);
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
    m_pages->addWidget(page);
}

void ActionDialog::buildButtons()
{
    m_back = new QPushButton(tr("&Back"));
    m_cancel = new QPushButton(tr("Cancel"));
    m_next = new QPushButton(tr("&Plan"));
    m_again = new QPushButton(tr("&Replan (F5)"));
    m_again->setAccessibleName(tr("Replan"));
    m_turnOn = new QPushButton(tr("&Turn on write mode…"));
    m_writeModeMenu = new QMenu(m_turnOn);
    m_turnOn->setMenu(m_writeModeMenu);
    m_run = new DangerButton;
    m_run->setObjectName(QStringLiteral("verb"));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_back);
    row->addStretch(1);
    for (QPushButton* button :
         std::initializer_list<QPushButton*>{m_cancel, m_next, m_again, m_turnOn, m_run})
        row->addWidget(button);
    for (QPushButton* button : std::initializer_list<QPushButton*>{m_back, m_turnOn, m_run})
        button->setAutoDefault(false);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connect(m_back, &QPushButton::clicked, this, [this] { go(Step::Asking); });
    connect(m_cancel, &QPushButton::clicked, this, &ActionDialog::reject);
    connect(m_next, &QPushButton::clicked, this, &ActionDialog::plan);
    connect(m_again, &QPushButton::clicked, this, &ActionDialog::planAgain);
    connect(m_run, &QPushButton::clicked, this, &ActionDialog::agree);
    connect(m_writeModeMenu, &QMenu::aboutToShow, this, [this] {
        m_writeModeMenu->clear();
        if (m_session)
            addWriteModeTo(m_writeModeMenu, m_session, this);
    });
}

void ActionDialog::begin()
{
    if (m_form && m_form->isWorthAsking())
        go(Step::Asking);
    else if (m_form)
        plan();
    else
        undo(m_draft.receipts);
}

// One request for all; each lock is asked about with its own owner.
void ActionDialog::plan()
{
    PlanRequest ask;
    ask.action = m_draft.action->id();
    ask.layout = m_draft.layout;
    ask.request = m_form->request();
    ask.targets.reserve(m_draft.targets.size());
    for (const StatePtr& state : m_draft.targets) {
        PlanRequest::Target target{state->primitive};
        for (const ActionParameter& parameter : m_draft.action->parameters()) {
            const auto known = m_each ? knownValue(parameter, *state) : std::nullopt;
            if (known)
                target.own[parameter.name] = *known;
        }
        ask.targets.push_back(std::move(target));
    }
    takeUp(ask);
}

void ActionDialog::undo(const QByteArrayList& receipts)
{
    if (m_step == Step::Running)
        return; // what is under way is told to its end
    m_receipt->forget();
    m_draft = {nullptr, {}, {}, {}, receipts};
    PlanRequest ask;
    ask.action = QByteArrayLiteral("undo");
    ask.receipts = receipts;
    takeUp(ask);
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
    m_steps->setPlans(m_set);
    if (isMany())
        m_receipt->showAnswers(titleOf(m_draft));
    else
        m_receipt->showAnswer(m_set.plans.front(), serverOf(*m_session, m_set));
    go(Step::Told);
    return true;
}

void ActionDialog::showPlan()
{
    m_steps->setPlans(m_set);
    const bool one = !isMany() && m_set.plans.size() == 1;
    const QString heading = headingOf(m_draft, m_set);
    m_plan->showPlan(m_set, heading, serverOf(*m_session, m_set), !one && !m_set.plans.empty(),
                     toBeTyped(m_set, *m_session));
    if (!m_set.plans.empty()) {
        m_run->setText(verbOf(m_set));
        m_run->setDangerous(m_draft.action && m_draft.action->removes());
    }
    if (isMany())
        setWindowTitle(tr("%1 – Lockkeeper").arg(heading));
    go(Step::Agreeing);
    m_follower->follow(m_set, m_ask);
}

void ActionDialog::agree()
{
    if (!m_session || m_step != Step::Agreeing || !m_plan->isConfirmed())
        return;
    m_follower->stop();
    if (m_set.plans.size() > 1)
        m_receipt->beginMany(tr("%1…").arg(verbOf(m_set)));
    go(Step::Running);
    m_session->run(m_set.ticket, m_plan->reason());
}

void ActionDialog::onReceipt(quint64 ticket, const Receipt& receipt)
{
    if (m_step != Step::Running || ticket != m_set.ticket)
        return;
    m_steps->add(receipt);
    if (m_set.plans.size() > 1)
        m_receipt->updateMany(false);
    else
        m_receipt->showReceipt(
            receipt,
            QStringLiteral("%1 %2").arg(m_set.plans.front().verb,
                                        displayName(m_set.plans.front().journalName)),
            serverOf(*m_session, m_set));
}

void ActionDialog::onFinished(quint64 ticket)
{
    if (m_step != Step::Running || ticket != m_set.ticket)
        return;
    m_steps->finish();
    if (m_set.plans.size() > 1)
        m_receipt->updateMany(true);
    m_set = {}; // with it goes a code that was to be shown once
    go(Step::Told);
}

void ActionDialog::go(Step step)
{
    m_step = step;
    if (step == Step::Planning)
        m_plan->showWaiting(titleOf(m_draft));
    const bool many = m_set.plans.size() > 1;
    if (step == Step::Asking)
        m_pages->setCurrentIndex(0);
    else if (step == Step::Told || (step == Step::Running && many))
        m_pages->setCurrentWidget(m_receipt);
    else
        m_pages->setCurrentWidget(m_plan);
    m_plan->setEnabled(step != Step::Running);
    updateButtons();
    fit();
    if (step == Step::Asking) {
        m_next->setDefault(true);
        m_form->focusFirst();
    } else {
        QPushButton* first = step == Step::Told && canPlanAgain() ? m_again : m_cancel;
        first->setDefault(true);
        first->setFocus();
    }
}

void ActionDialog::updateButtons()
{
    if (!m_session || !m_cancel)
        return;
    const bool agreeing = m_step == Step::Agreeing && !m_set.plans.empty();
    const bool writing = m_session->isWriteModeOn();
    m_back->setVisible(m_form && m_draft.action && m_form->hasFields() &&
                       (m_step == Step::Agreeing || (m_step == Step::Told && !writes())));
    m_next->setVisible(m_step == Step::Asking);
    m_next->setEnabled(m_form && m_form->isComplete());
    m_next->setText(writes() ? tr("&Plan") : tr("&Check"));
    const auto plans = isOfOne(m_set) ? 1 : m_set.plans.size();
    const bool lost = agreeing && size_t(m_follower->stale().size()) >= plans;
    m_again->setVisible(canPlanAgain());
    m_turnOn->setVisible(agreeing && !writing);
    m_turnOn->setEnabled(m_session->canAct());
    m_run->setVisible(agreeing && writing);
    m_run->setEnabled(agreeing && !lost && m_plan->isConfirmed());
    m_cancel->setText(m_step == Step::Told      ? tr("&Close")
                      : m_step == Step::Running ? tr("Stop")
                                                : tr("Cancel"));
    if (m_step == Step::Agreeing)
        m_plan->setHint(hint());
}

QString ActionDialog::hint() const
{
    if (m_set.plans.empty())
        return {};
    if (!m_session->canAct())
        return tr("This session has no journal, so it is read-only.");
    return m_session->isWriteModeOn()
               ? m_plan->missing()
               : tr("Nothing was sent: the session is read-only. Turn on write "
                    "mode to continue.");
}

// As high as the page that is seen needs, up to what the smallest window has room for.
void ActionDialog::fit()
{
    for (int i = 0; i < m_pages->count(); ++i) {
        const bool seen = i == m_pages->currentIndex();
        m_pages->widget(i)->setSizePolicy(QSizePolicy::Preferred,
                                          seen ? QSizePolicy::Preferred : QSizePolicy::Ignored);
    }
    layout()->activate();
    const int wanted = layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(dialogWidth)
                                                     : layout()->totalSizeHint().height();
    resize(dialogWidth, std::clamp(wanted, 220, 560));
}

// Return in a field does not cancel what a person is typing a reason for: it goes on to the next.
void ActionDialog::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_F5 && canPlanAgain())
        planAgain();
    else if (isReturn(*event) && m_step == Step::Agreeing &&
             qobject_cast<QLineEdit*>(focusWidget()))
        focusNextChild();
    else if (!pressByReturn(*this, *event))
        QDialog::keyPressEvent(event);
}

void ActionDialog::reject()
{
    if (m_step == Step::Running && m_session) {
        m_session->stopRun(m_set.ticket);
        return;
    }
    QDialog::reject();
}

} // namespace lk
