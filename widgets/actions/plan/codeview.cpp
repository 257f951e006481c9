// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/plan/codeview.h"

#include "backend/text/time/duration.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QCryptographicHash>
#include <QLabel>
#include <QPushButton>
#include <QTimer>

namespace lk {

namespace {

QByteArray fingerprint(const QString& text)
{
    return QCryptographicHash::hash(text.toUtf8(), QCryptographicHash::Sha256);
}

// Outlives the dialog, so it keeps no more than what it takes to recognise the code.
void clearClipboardLater(const QString& code, int ms)
{
    QTimer::singleShot(ms, QApplication::clipboard(), [print = fingerprint(code)] {
        QClipboard* clipboard = QApplication::clipboard();
        if (fingerprint(clipboard->text()) == print)
            clipboard->clear();
    });
}

} // namespace

CodeView::CodeView(QWidget* parent, int keptMs)
    : QWidget(parent)
    , m_keptMs(keptMs)
    , m_code(new QLabel)
    , m_note(new InlineMessage)
{
    m_code->setObjectName(QStringLiteral("code"));
    m_code->setFont(monoFont(TextSize::Figure));
    m_code->setTextFormat(Qt::PlainText);
    m_code->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_code->setWordWrap(true);
    m_code->setAccessibleName(tr("Code"));
    auto* copyButton = new QPushButton(tr("&Copy the code"));
    copyButton->setAutoDefault(false);
    auto* row = rowOf(12, {{m_code, 1}, {copyButton, 0, Qt::AlignVCenter}});
    columnIn(this, {0, 8, 0, 8}, 4, {row, m_note});
    connect(copyButton, &QPushButton::clicked, this, &CodeView::copy);
}

void CodeView::setCode(const QString& code)
{
    m_code->setText(code);
    m_note->setMessage(InlineMessage::Tone::Warning,
                       tr("It is shown only now and is not stored anywhere."));
}

QString CodeView::code() const
{
    return m_code->text();
}

void CodeView::copy()
{
    QApplication::clipboard()->setText(m_code->text());
    clearClipboardLater(m_code->text(), m_keptMs);
    m_note->setMessage(
        InlineMessage::Tone::Ok,
        tr("Copied. It is cleared from the clipboard in %1.").arg(formatDuration(m_keptMs)));
}

} // namespace lk
