// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/plan/plandialog.h"

#include "backend/core/names/environment.h"
#include "backend/session/sessionacting.h"
#include "widgets/actions/deploymentline.h"
#include "widgets/actions/plan/planview.h"
#include "widgets/actions/plan/receiptview.h"
#include "widgets/actions/plan/stepmodel.h"
#include "widgets/actions/writemode/writemode.h"
#include "widgets/controls/input/dangerbutton.h"
#include "widgets/controls/input/returnkey.h"
#include "widgets/theme/boxlayout.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>

#include <algorithm>

namespace lk {

PlanDialog::PlanDialog(Session* session, int width, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_width(width)
    , m_pages(new QStackedWidget)
    , m_steps(new StepModel(this))
    , m_plan(new PlanView(m_steps))
    , m_receipt(new ReceiptView(m_steps))
{
    m_pages->addWidget(m_plan);
    m_pages->addWidget(m_receipt);
    columnIn(this, {16, 16, 16, 16}, 12, {deploymentLine(*session), {m_pages, 1}});
    setMinimumWidth(520);
    m_plan->setReasonRequired(isProduction(session->environment()));
    connect(m_plan, &PlanView::changed, this, [this] { updateButtons(); });
    connect(m_receipt, &ReceiptView::undoWanted, this,
            [this](const QByteArrayList& receipts) { undo(receipts); });
    connect(session, &QObject::destroyed, this, &QWidget::close);
    // The window's own key does not reach through this dialog.
    auto* readOnly = new QShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), this);
    connect(readOnly, &QShortcut::activated, &session->acting(), &SessionActing::disableWriteMode);
}

void PlanDialog::buildButtons(std::initializer_list<QPushButton*> first,
                              std::initializer_list<QPushButton*> next)
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
    for (QPushButton* button : first) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    row->addStretch(1);
    row->addWidget(m_cancel);
    for (QPushButton* button : next)
        row->addWidget(button);
    row->addWidget(m_again);
    for (QPushButton* button : std::initializer_list<QPushButton*>{m_turnOn, m_run}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connect(m_cancel, &QPushButton::clicked, this, &PlanDialog::reject);
    connect(m_again, &QPushButton::clicked, this, &PlanDialog::planAgain);
    connect(m_run, &QPushButton::clicked, this, &PlanDialog::agree);
    connect(m_writeModeMenu, &QMenu::aboutToShow, this, [this] {
        m_writeModeMenu->clear();
        if (m_session)
            addWriteModeTo(m_writeModeMenu, m_session, this);
    });
}

void PlanDialog::showButtons(bool hasPlan, bool canRun)
{
    const bool confirming = m_step == Step::Confirming && hasPlan;
    const bool writing = m_session->acting().isWriteModeOn();
    m_again->setVisible(canPlanAgain());
    m_turnOn->setVisible(confirming && !writing);
    m_turnOn->setEnabled(m_session->acting().canAct());
    m_run->setVisible(confirming && writing);
    m_run->setEnabled(confirming && canRun && m_plan->isConfirmed());
    m_cancel->setText(m_step == Step::Receipt   ? tr("&Close")
                      : m_step == Step::Running ? tr("Stop")
                                                : tr("Cancel"));
}

void PlanDialog::fit()
{
    for (int i = 0; i < m_pages->count(); ++i) {
        const bool seen = i == m_pages->currentIndex();
        m_pages->widget(i)->setSizePolicy(QSizePolicy::Preferred,
                                          seen ? QSizePolicy::Preferred : QSizePolicy::Ignored);
    }
    layout()->activate();
    const int wanted = layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(m_width)
                                                     : layout()->totalSizeHint().height();
    resize(m_width, std::clamp(wanted, 220, 560));
}

// Return in a field does not cancel the dialog while the user types a reason: it moves to the next
// field.
void PlanDialog::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_F5 && canPlanAgain())
        planAgain();
    else if (isReturn(*event) && m_step == Step::Confirming &&
             qobject_cast<QLineEdit*>(focusWidget()))
        focusNextChild();
    else if (!pressByReturn(*this, *event))
        QDialog::keyPressEvent(event);
}

void PlanDialog::reject()
{
    if (m_step == Step::Running && m_session)
        return stopRun();
    QDialog::reject();
}

} // namespace lk
