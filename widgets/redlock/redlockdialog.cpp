// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/redlock/redlockdialog.h"

#include "backend/core/names/environment.h"
#include "backend/core/names/keyname.h"
#include "widgets/actions/deploymentline.h"
#include "widgets/actions/plan/planview.h"
#include "widgets/actions/plan/stepmodel.h"
#include "widgets/actions/receiptview.h"
#include "widgets/actions/writemode/writemode.h"
#include "widgets/controls/input/dangerbutton.h"
#include "widgets/controls/input/returnkey.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

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
    : QDialog(parent)
    , m_session(session)
    , m_redlocks(redlocks)
    , m_group(group)
    , m_request(std::move(request))
    , m_pages(new QStackedWidget)
    , m_steps(new StepModel(this))
    , m_plan(new PlanView(m_steps))
    , m_receipt(new ReceiptView(m_steps))
{
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
    connect(m_plan, &PlanView::changed, this, &RedlockDialog::updateButtons);
    connect(m_receipt, &ReceiptView::undoWanted, this, &RedlockDialog::undo);
    connect(redlocks, &Redlocks::planned, this, &RedlockDialog::onPlanned);
    connect(redlocks, &Redlocks::receiptReady, this, &RedlockDialog::onReceipt);
    connect(redlocks, &Redlocks::finished, this, &RedlockDialog::onFinished);
    connect(redlocks, &Redlocks::groupsChanged, this, &QWidget::close);
    connect(redlocks, &QObject::destroyed, this, &QWidget::close);
    connect(session, &Session::writeModeChanged, this, &RedlockDialog::onWriteMode);
    connect(session, &QObject::destroyed, this, &QWidget::close);
    // The window's own key does not reach through this dialog.
    auto* readOnly = new QShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), this);
    connect(readOnly, &QShortcut::activated, session, &Session::disableWriteMode);
}

RedlockDialog::~RedlockDialog()
{
    if (m_redlocks)
        m_redlocks->discard(m_ticket);
}

void RedlockDialog::buildButtons()
{
    m_cancel = new QPushButton(tr("Cancel"));
    m_again = new QPushButton(tr("&Replan (F5)"));
    m_again->setAccessibleName(tr("Replan"));
    m_turnOn = new QPushButton(tr("&Turn on write mode…"));
    m_writeModeMenu = new QMenu(m_turnOn);
    m_turnOn->setMenu(m_writeModeMenu);
    m_run = new DangerButton;
    m_run->setObjectName(QStringLiteral("verb"));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addStretch(1);
    for (QPushButton* button :
         std::initializer_list<QPushButton*>{m_cancel, m_again, m_turnOn, m_run})
        row->addWidget(button);
    for (QPushButton* button : std::initializer_list<QPushButton*>{m_turnOn, m_run})
        button->setAutoDefault(false);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connect(m_cancel, &QPushButton::clicked, this, &RedlockDialog::reject);
    connect(m_again, &QPushButton::clicked, this, &RedlockDialog::planAgain);
    connect(m_run, &QPushButton::clicked, this, &RedlockDialog::agree);
    connect(m_writeModeMenu, &QMenu::aboutToShow, this, [this] {
        m_writeModeMenu->clear();
        if (m_session)
            addWriteModeTo(m_writeModeMenu, m_session, this);
    });
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
    m_redlocks->discard(m_ticket);
    m_planned = {};
    m_ticket = m_redlocks->plan(m_group, m_request);
    go(Step::Planning);
}

void RedlockDialog::planAgain()
{
    if (m_step == Step::Agreeing || (m_step == Step::Told && m_request.receipts.isEmpty()))
        plan();
}

void RedlockDialog::undo(const QByteArrayList& receipts)
{
    if (m_step == Step::Running)
        return; // what is under way is told to its end
    m_request.receipts.clear();
    for (const QByteArray& receipt : receipts)
        m_request.receipts[m_endpoints.value(receipt)] << receipt;
    plan();
}

void RedlockDialog::onPlanned(quint64 ticket, const RedlockPlan& plan)
{
    if (ticket != m_ticket || !m_session)
        return;
    m_planned = plan;
    const std::vector<Plan>& plans = plan.set.plans;
    m_steps->setPlans(plan.set, placesOf(plan));
    const int all = int(plan.rows().size());
    const QString some = tr("%1 on %2 of %3 servers?");
    const QString heading =
        plans.empty() ? tr("%1: there is nothing to do").arg(title())
        : int(plans.size()) == all
            ? tr("%1?").arg(title())
            : some.arg(subject(), QString::number(plans.size()), QString::number(all));
    const bool production = isProduction(m_session->environment());
    m_plan->showPlan(saidOnce(plan.set), heading, tr("%Ln server(s)", nullptr, all), true,
                     production ? QString::number(plans.size()) : QString());
    if (!plans.empty()) {
        m_run->setText(tr("%1 (%2)").arg(plans.front().verb, QLocale().toString(plans.size())));
        m_run->setDangerous(m_request.receipts.isEmpty());
    }
    go(Step::Agreeing);
}

void RedlockDialog::agree()
{
    if (!m_session || !m_redlocks || m_step != Step::Agreeing || m_planned.set.plans.empty() ||
        !m_session->isWriteModeOn() || !m_plan->isConfirmed())
        return;
    m_came = 0;
    m_receipt->beginMany(tr("%1…").arg(title()));
    go(Step::Running);
    m_redlocks->run(m_ticket, m_plan->reason());
}

void RedlockDialog::onReceipt(quint64 ticket, const Receipt& receipt)
{
    if (m_step != Step::Running || ticket != m_ticket)
        return;
    m_endpoints.insert(receipt.id, m_planned.endpoints.value(m_came++));
    m_steps->add(receipt);
    m_receipt->updateMany(false);
}

void RedlockDialog::onFinished(quint64 ticket)
{
    if (m_step != Step::Running || ticket != m_ticket)
        return;
    m_steps->finish();
    m_receipt->updateMany(true);
    if (m_redlocks)
        m_redlocks->discard(m_ticket);
    go(Step::Told);
}

// Write mode is the window's: what has not begun when it ends is left.
void RedlockDialog::onWriteMode()
{
    if (m_step == Step::Running && m_session && m_redlocks && !m_session->isWriteModeOn())
        m_redlocks->stop(m_ticket);
    updateButtons();
}

void RedlockDialog::go(Step step)
{
    m_step = step;
    if (step == Step::Planning)
        m_plan->showWaiting(title());
    if (step == Step::Running || step == Step::Told)
        m_pages->setCurrentWidget(m_receipt);
    else
        m_pages->setCurrentWidget(m_plan);
    updateButtons();
    fit();
    m_cancel->setDefault(true);
    m_cancel->setFocus();
}

void RedlockDialog::updateButtons()
{
    if (!m_session)
        return;
    const bool agreeing = m_step == Step::Agreeing && !m_planned.set.plans.empty();
    const bool writing = m_session->isWriteModeOn();
    m_again->setVisible(m_step == Step::Agreeing ||
                        (m_step == Step::Told && m_request.receipts.isEmpty()));
    m_turnOn->setVisible(agreeing && !writing);
    m_turnOn->setEnabled(m_session->canAct());
    m_run->setVisible(agreeing && writing);
    m_run->setEnabled(agreeing && m_plan->isConfirmed());
    m_cancel->setText(m_step == Step::Told      ? tr("&Close")
                      : m_step == Step::Running ? tr("Stop")
                                                : tr("Cancel"));
    if (m_step == Step::Agreeing)
        m_plan->setHint(hint());
}

QString RedlockDialog::hint() const
{
    if (m_planned.set.plans.empty())
        return {};
    if (!m_session->isWriteModeOn())
        return tr("Nothing was sent: the session is read-only. Turn on write mode to continue.");
    const int failures = m_planned.failures();
    if (m_plan->missing().isEmpty() && failures > 0)
        return tr("It may stay held on %Ln server(s) that cannot be asked or refuse.", nullptr,
                  failures);
    return m_plan->missing();
}

// As high as the page that is seen needs, up to what the smallest window has room for.
void RedlockDialog::fit()
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

void RedlockDialog::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_F5)
        planAgain();
    else if (isReturn(*event) && m_step == Step::Agreeing &&
             qobject_cast<QLineEdit*>(focusWidget()))
        focusNextChild();
    else if (!pressByReturn(*this, *event))
        QDialog::keyPressEvent(event);
}

void RedlockDialog::reject()
{
    if (m_step == Step::Running && m_redlocks) {
        m_redlocks->stop(m_ticket);
        return;
    }
    QDialog::reject();
}

} // namespace lk
