// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/dialog/autorequeuedialog.h"

#include "backend/acting/autorequeue/autorequeue.h"
#include "backend/core/redactedname.h"
#include "backend/session/session.h"
#include "backend/session/sessionacting.h"
#include "widgets/actions/deploymentline.h"
#include "widgets/actions/parameterform.h"
#include "widgets/actions/writemode/writemode.h"
#include "widgets/controls/input/returnkey.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>

namespace lk {

namespace {

constexpr int autoRequeueDialogDialogWidth = 560;
const QByteArray threshold = QByteArrayLiteral("older-than");

std::vector<ActionParameter> parameters()
{
    return {{threshold,
             ActionParameter::Type::Duration,
             AutoRequeueDialog::tr("Stuck after"),
             AutoRequeueDialog::tr("in progress for this long, since first seen"),
             true,
             {},
             {}}};
}

} // namespace

AutoRequeueDialog* AutoRequeueDialog::open(Session* session, PrimitivePtr queue, QWidget* over)
{
    auto* dialog = new AutoRequeueDialog(session, std::move(queue), over->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->QDialog::open();
    return dialog;
}

AutoRequeueDialog::AutoRequeueDialog(Session* session, PrimitivePtr queue, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_queue(std::move(queue))
    , m_form(new ParameterForm(parameters(), {}))
    , m_facts(new FactGrid)
    , m_hint(new QLabel)
{
    setWindowTitle(tr("Auto-requeue – Lockkeeper"));
    setMinimumWidth(autoRequeueDialogDialogWidth);
    auto* question = new QLabel(tr("Auto-requeue stuck jobs of %1?").arg(shownName(*m_queue, 60)));
    question->setFont(uiFont(TextSize::Title));
    question->setTextFormat(Qt::PlainText);
    question->setWordWrap(true);
    m_hint->setWordWrap(true);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = columnIn(this, {16, 16, 16, 16}, 12, {deploymentLine(*session)});
    for (QWidget* part : std::initializer_list<QWidget*>{question, m_form, m_facts, m_hint})
        layout->addWidget(part);
    buildButtons();
    const qint64 ms =
        AutoRequeue::thresholdOf(*m_queue, session->config().check.thresholds.stuckAfterMs);
    m_form->prefill(threshold, ms % 1000 == 0 ? QByteArray::number(ms / 1000) + 's'
                                              : QByteArray::number(ms) + "ms");
    connect(m_form, &ParameterForm::changed, this, &AutoRequeueDialog::refresh);
    connect(&session->acting(), &SessionActing::writeModeChanged, this,
            &AutoRequeueDialog::refresh);
    connect(session, &QObject::destroyed, this, &QWidget::close);
    // The window's own key does not reach through this dialog.
    auto* readOnly = new QShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), this);
    connect(readOnly, &QShortcut::activated, &session->acting(), &SessionActing::disableWriteMode);
    refresh();
}

void AutoRequeueDialog::buildButtons()
{
    auto* cancel = new QPushButton(tr("Cancel"));
    m_turnOn = new QPushButton(tr("&Turn on write mode…"));
    m_writeModeMenu = new QMenu(m_turnOn);
    m_turnOn->setMenu(m_writeModeMenu);
    m_begin = new QPushButton(tr("&Start auto-requeue"));
    auto* row = rowOf(8, {BoxStretch{}});
    for (QPushButton* button : {cancel, m_turnOn, m_begin}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    cancel->setDefault(true);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_begin, &QPushButton::clicked, this, &AutoRequeueDialog::begin);
    connect(m_writeModeMenu, &QMenu::aboutToShow, this, [this] {
        m_writeModeMenu->clear();
        if (m_session)
            addWriteModeTo(m_writeModeMenu, m_session, this);
    });
}

qint64 AutoRequeueDialog::olderThanMs() const
{
    return m_form->request().durationMs(threshold).value_or(0);
}

void AutoRequeueDialog::refresh()
{
    if (!m_session)
        return;
    const bool complete = m_form->isComplete() && olderThanMs() > 0;
    std::vector<FactGrid::Row> rows{{tr("server"), m_session->url().endpoint(), true}};
    if (complete) {
        for (auto& [label, text] : AutoRequeue::describe(*m_queue, olderThanMs(), {}))
            rows.push_back({label, text, false});
    }
    rows.push_back({tr("ends"),
                    tr("when write mode turns off, the connection is lost, or you "
                       "stop it"),
                    false});
    m_facts->setRows(std::move(rows));
    const bool writing = m_session->acting().isWriteModeOn();
    m_turnOn->setVisible(!writing);
    m_turnOn->setEnabled(m_session->acting().canAct());
    m_begin->setVisible(writing);
    m_begin->setEnabled(complete);
    m_hint->setText(!m_session->acting().canAct()
                        ? tr("This session has no journal, so it is read-only.")
                    : writing ? QString()
                              : tr("Nothing was sent: the session is read-only. Turn on write mode "
                                   "to continue."));
    m_hint->setVisible(!m_hint->text().isEmpty());
    layout()->activate();
    resize(std::max(width(), autoRequeueDialogDialogWidth),
           layout()->totalHeightForWidth(std::max(width(), autoRequeueDialogDialogWidth)));
}

// Return in the field does not cancel: it goes on to the next.
void AutoRequeueDialog::keyPressEvent(QKeyEvent* event)
{
    if (isReturn(*event) && qobject_cast<QLineEdit*>(focusWidget()))
        focusNextChild();
    else if (!pressByReturn(*this, *event))
        QDialog::keyPressEvent(event);
}

void AutoRequeueDialog::begin()
{
    if (m_session && m_session->acting().isWriteModeOn() && olderThanMs() > 0)
        m_session->acting().startAutoRequeue(m_queue, olderThanMs());
    accept();
}

} // namespace lk
