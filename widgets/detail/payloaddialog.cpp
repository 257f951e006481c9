// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/payloaddialog.h"

#include "backend/core/keyname.h"
#include "backend/session/session.h"
#include "backend/text/duration.h"
#include "backend/text/errortext.h"
#include "widgets/controls/factgrid.h"
#include "widgets/detail/payloadtext.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lk {

namespace {

QString sizeText(qint64 bytes)
{
    return QLocale().formattedDataSize(bytes, 1, QLocale::DataSizeSIFormat);
}

} // namespace

PayloadDialog* PayloadDialog::open(Session* session, Handle handle, const State& queue,
                                   const JobState& state, const QueueItem& job, QWidget* over)
{
    auto* dialog = new PayloadDialog(session, handle, queue, state, job, over->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->QDialog::open();
    return dialog;
}

PayloadDialog::PayloadDialog(Session* session, Handle handle, const State& queue,
                             const JobState& state, const QueueItem& job, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_handle(handle)
    , m_state(state.name)
    , m_job(job)
    , m_payload(job.preview)
    , m_whole(job.size == job.preview.size())
    , m_note(new QLabel)
    , m_indented(new QCheckBox(tr("&Indent JSON")))
    , m_text(new QPlainTextEdit)
{
    const QString name = displayPreview(queue.primitive->name(), 60);
    setWindowTitle(tr("Job of %1 \u2013 Lockkeeper").arg(name));
    auto* title = new QLabel(tr("%1: %2").arg(name, jobStateTitle(state)));
    title->setFont(uiFont(TextSize::Title));
    title->setTextFormat(Qt::PlainText);
    std::vector<FactGrid::Row> rows{{tr("Key"), displayPreview(job.key, 120), true},
                                    {tr("Size"), sizeText(job.size), false},
                                    {tr("Digest"), QString::number(job.fingerprint, 16), true}};
    if (job.firstSeenMs)
        rows.push_back({tr("In progress since"), momentText(*job.firstSeenMs), false});
    if (job.facts.dueMs)
        rows.push_back({tr("Due at"), momentText(*job.facts.dueMs), false});
    auto* facts = new FactGrid;
    facts->setRows(std::move(rows));
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_indented->setChecked(true);
    m_text->setReadOnly(true);
    m_text->setFont(monoFont(TextSize::Body));
    m_text->setTabChangesFocus(true);
    m_text->setAccessibleName(tr("Payload"));
    m_text->setObjectName(QStringLiteral("payload"));
    auto* buttons = new QDialogButtonBox;
    auto* copyButton = buttons->addButton(tr("&Copy payload"), QDialogButtonBox::ActionRole);
    copyButton->setAutoDefault(false);
    auto* close = buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    close->setDefault(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(8);
    layout->addWidget(title);
    layout->addWidget(facts);
    layout->addWidget(m_indented);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_note);
    layout->addWidget(buttons);
    resize(640, 520);
    connect(m_indented, &QCheckBox::toggled, this, &PayloadDialog::showText);
    connect(copyButton, &QPushButton::clicked, this, &PayloadDialog::copy);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(session, &QObject::destroyed, this, &QWidget::close);
    connect(session, &Session::jobOpened, this, &PayloadDialog::take);
    showText();
    if (!m_whole && job.size <= mostBytes)
        session->openJob(handle, m_state, job.fingerprint);
    close->setFocus();
}

void PayloadDialog::take(const JobPayloadPtr& payload)
{
    if (payload->handle != m_handle || payload->state != m_state ||
        payload->fingerprint != m_job.fingerprint || m_whole)
        return;
    if (payload->problem) {
        m_note->setText(errorText(*payload->problem));
        m_note->show();
        return;
    }
    m_payload = payload->payload;
    m_whole = true;
    showText();
}

void PayloadDialog::showText()
{
    const QByteArray json = m_whole ? indentedJson(m_payload) : QByteArray();
    m_indented->setVisible(!json.isEmpty());
    m_text->setPlainText(
        payloadLines(!json.isEmpty() && m_indented->isChecked() ? json : m_payload));
    m_note->setVisible(!m_whole);
    if (!m_whole)
        m_note->setText(m_job.size > mostBytes
                            ? tr("The first %1 of %2; it is too large to show in full")
                                  .arg(sizeText(m_payload.size()), sizeText(m_job.size))
                            : tr("The first %1 of %2; reading the rest\u2026")
                                  .arg(sizeText(m_payload.size()), sizeText(m_job.size)));
}

// As it is stored where it is text; else with \xNN, as it is shown.
void PayloadDialog::copy()
{
    const QString text = QString::fromUtf8(m_payload);
    QApplication::clipboard()->setText(text.toUtf8() == m_payload ? text : displayName(m_payload));
}

} // namespace lk
