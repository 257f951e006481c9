// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/alerts/silencedialog.h"

#include "backend/core/names/glob.h"
#include "backend/core/names/keyname.h"
#include "backend/text/time/duration.h"
#include "backend/text/time/moment.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace lk {

namespace {

enum What { ThisOne, TheRule, TheName };

constexpr qint64 hourMs = 3600 * 1000;
constexpr qint64 entered = -1;

} // namespace

SilenceDialog::SilenceDialog(const AlertPtr& alert, qint64 nowMs, QWidget* parent)
    : QDialog(parent)
    , m_alert(alert)
    , m_nowMs(nowMs)
    , m_form(new QFormLayout)
    , m_what(new QComboBox)
    , m_until(new QComboBox)
    , m_time(new QLineEdit)
    , m_reason(new QLineEdit)
    , m_message(new InlineMessage)
{
    setObjectName(QStringLiteral("silenceDialog"));
    setWindowTitle(tr("Silence an alert – Lockkeeper"));
    setMinimumWidth(480);
    const QString name = displayPreview(alert->name, 60);
    const QString rule = displayPreview(alert->rule, 60);
    m_what->addItem(tr("%1 on %2").arg(rule, name), ThisOne);
    m_what->addItem(tr("all alerts of the rule %1").arg(rule), TheRule);
    m_what->addItem(tr("all alerts on %1").arg(name), TheName);
    for (const qint64 hours : {1, 4, 24, 7 * 24})
        m_until->addItem(tr("for %1").arg(formatDuration(hours * hourMs)), hours * hourMs);
    m_until->addItem(tr("until a time…"), entered);
    m_until->addItem(tr("until ended manually"), 0);
    m_time->setPlaceholderText(tr("+2h, 06:00"));
    m_time->setObjectName(QStringLiteral("time"));
    m_reason->setObjectName(QStringLiteral("reason"));
    m_reason->setPlaceholderText(tr("for example: maintenance, known bug"));
    auto* title = new QLabel(tr("Silence %1").arg(name));
    title->setFont(uiFont(TextSize::Title));
    title->setTextFormat(Qt::PlainText);
    auto* text = new QLabel(tr("The alert stays on the board, but nobody is notified while it is "
                               "silenced. Everyone on this machine sees who silenced it."));
    text->setWordWrap(true);
    const auto add = [&](const QString& label, QWidget* field) {
        field->setAccessibleName(QString(label).remove(QLatin1Char('&')));
        m_form->addRow(label, field);
    };
    add(tr("&What"), m_what);
    add(tr("&Until"), m_until);
    add(tr("&Time"), m_time);
    m_form->addRow(QString(), m_message);
    const auto accepted = [this] {
        m_message->setMessage(InlineMessage::Tone::Hint, {});
        m_time->setAccessibleDescription({});
        m_form->setRowVisible(m_message, false);
    };
    const auto showTime = [this, accepted] {
        const bool wanted = m_until->currentData().toLongLong() == entered;
        m_form->setRowVisible(m_time, wanted);
        accepted();
        if (wanted)
            m_time->setFocus();
    };
    connect(m_until, &QComboBox::currentIndexChanged, this, showTime);
    connect(m_time, &QLineEdit::textEdited, this, accepted);
    add(tr("&Reason"), m_reason);
    auto* cancel = new QPushButton(tr("Cancel"));
    auto* silence = new QPushButton(tr("&Silence"));
    silence->setDefault(true);
    auto* buttons = rowOf(8, {BoxStretch{}, cancel, silence});
    columnIn(this, {16, 16, 16, 16}, 12, {title, text, m_form, BoxStretch{}, buttons});
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(silence, &QPushButton::clicked, this, &SilenceDialog::accept);
    showTime();
    m_reason->setFocus();
}

Result<qint64> SilenceDialog::until() const
{
    const qint64 chosen = m_until->currentData().toLongLong();
    if (chosen == entered)
        return parseMomentAhead(m_time->text(), m_nowMs);
    return chosen > 0 ? m_nowMs + chosen : 0;
}

void SilenceDialog::accept()
{
    if (const Result<qint64> time = until(); !time) {
        m_message->setError(time.error());
        m_form->setRowVisible(m_message, true);
        layout()->activate(); // it may take more than a line
        resize(width(), std::max(height(), layout()->totalHeightForWidth(width())));
        m_time->setAccessibleDescription(m_message->text()); // what a screen reader says of it
        m_time->setFocus();
        m_time->selectAll();
        return;
    }
    QDialog::accept();
}

Silence SilenceDialog::silence() const
{
    Silence silence;
    const int what = m_what->currentData().toInt();
    if (what != TheName)
        silence.rule = m_alert->rule;
    if (what != TheRule)
        silence.match = quotedForGlob(m_alert->primitive.name.isEmpty() ? m_alert->name
                                                                        : m_alert->primitive.name);
    silence.untilMs = until().value_or(0);
    silence.reason = m_reason->text().trimmed();
    return silence;
}

} // namespace lk
