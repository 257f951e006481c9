// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/declare/configdialog.h"

#include "backend/session/session.h"
#include "backend/text/time/duration.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/controls/labels/wrappedlabel.h"
#include "widgets/saving/offthread.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace lk {

ConfigDialog* ConfigDialog::open(Session* session, ConfigDraft draft, QWidget* over)
{
    auto* dialog = new ConfigDialog(session, std::move(draft), over->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->QDialog::open();
    return dialog;
}

ConfigDialog::ConfigDialog(Session* session, ConfigDraft draft, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_draft(std::move(draft))
    , m_path(session->configFile())
    , m_pattern(new QLineEdit(QString::fromUtf8(m_draft.pattern)))
    , m_lines(wrappedLabel({}, monoFont(TextSize::Caption)))
    , m_message(new InlineMessage)
    , m_cancel(new QPushButton(tr("Cancel")))
    , m_write(new QPushButton(tr("&Write")))
{
    setObjectName(QStringLiteral("configDialog"));
    setWindowTitle(tr("%1 – Lockkeeper").arg(m_draft.title));
    setMinimumWidth(560);
    auto* form = new QFormLayout;
    buildFields(form);
    m_lines->setFrameShape(QFrame::StyledPanel);
    m_lines->setMargin(8);
    m_lines->setObjectName(QStringLiteral("configLines"));
    auto* buttons = rowOf(8, {BoxStretch{}, m_cancel, m_write});
    m_write->setDefault(true);
    columnIn(this, {16, 16, 16, 16}, 12,
             {wrappedLabel(m_draft.title, uiFont(TextSize::Title)),
              wrappedLabel(m_draft.text, uiFont(TextSize::Body)), form,
              wrappedLabel(tr("This is written to %1:").arg(m_path), uiFont(TextSize::Caption)),
              m_lines, m_message, BoxStretch{}, buttons});
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_write, &QPushButton::clicked, this, &ConfigDialog::accept);
    // The dialog closes with its session, unless it shows the lines that it has just written.
    connect(session, &QObject::destroyed, this, [this] {
        if (!m_written)
            close();
    });
    m_write->setEnabled(false);
    readFile(this, m_path, [this](const Result<QByteArray>& toml) { onRead(toml); });
}

void ConfigDialog::buildFields(QFormLayout* form)
{
    const auto add = [&](const QString& label, QLineEdit* field, const char* name) {
        field->setObjectName(QLatin1String(name));
        field->setAccessibleName(QString(label).remove(QLatin1Char('&')));
        form->addRow(label, field);
        connect(field, &QLineEdit::textChanged, this, &ConfigDialog::preview);
    };
    m_pattern->setFont(monoFont(TextSize::Body));
    m_pattern->setToolTip(tr("a name, or a pattern such as api:*"));
    add(m_draft.what == ConfigDraft::What::Silence ? tr("&Name") : tr("&Key"), m_pattern,
        "pattern");
    if (m_draft.what != ConfigDraft::What::Declare)
        return;
    m_limit = new QLineEdit(m_draft.limit ? QString::number(*m_draft.limit) : QString());
    m_window = new QLineEdit(m_draft.windowMs ? configDuration(*m_draft.windowMs) : QString());
    m_limit->setPlaceholderText(tr("requests per window, such as 5"));
    m_window->setPlaceholderText(tr("1s, 10m, 24h"));
    add(tr("&Limit"), m_limit, "limit");
    add(tr("Win&dow"), m_window, "window");
    m_limit->setFocus();
}

ConfigDraft ConfigDialog::entered() const
{
    ConfigDraft draft = m_draft;
    draft.pattern = m_pattern->text().trimmed().toUtf8();
    if (m_limit) {
        bool ok = false;
        const qint64 limit = m_limit->text().trimmed().toLongLong(&ok);
        draft.limit = ok && limit > 0 ? std::optional(limit) : std::nullopt;
        const Result<qint64> window = parseDuration(m_window->text().trimmed());
        draft.windowMs = window ? std::optional(*window) : std::nullopt;
    }
    return draft;
}

void ConfigDialog::onRead(const Result<QByteArray>& toml)
{
    if (!toml)
        return m_message->setError(toml.error());
    m_toml = *toml;
    m_read = true;
    preview();
}

// Shows the exact lines, or the errors, before anything is written.
void ConfigDialog::preview()
{
    if (!m_read || m_written)
        return;
    const bool badLimit = m_limit && !m_limit->text().trimmed().isEmpty() && !entered().limit;
    const bool badWindow = m_window && !m_window->text().trimmed().isEmpty() && !entered().windowMs;
    const Result<ConfigEdit> edit =
        badLimit    ? failure(ErrorCode::BadArgument, tr("The limit must be a whole number, 1 or "
                                                            "more"))
        : badWindow ? failure(ErrorCode::BadArgument,
                              tr("The window must be a duration such as 250ms, 1s, 10m, 24h or 7d"))
                    : entered().applyTo(m_toml, m_path);
    m_write->setEnabled(edit.has_value());
    m_lines->setText(edit ? QString::fromUtf8(edit->lines) : QString());
    m_lines->setVisible(edit.has_value());
    if (edit)
        m_message->setMessage(InlineMessage::Tone::Warning, QString());
    else
        m_message->setMessage(InlineMessage::Tone::Problem, sentences(edit.error()));
}

void ConfigDialog::accept()
{
    if (m_written)
        return QDialog::accept();
    if (!m_write->isEnabled())
        return;
    m_write->setEnabled(false);
    const ConfigDraft draft = entered();
    changeFile<ConfigEdit>(
        this,
        [draft, path = m_path] {
            return editConfigFile(
                path, [&](const QByteArray& toml) { return draft.applyTo(toml, path); });
        },
        [this](const Result<ConfigEdit>& edit) { onWritten(edit); });
}

void ConfigDialog::onWritten(const Result<ConfigEdit>& edit)
{
    if (!edit) {
        m_write->setEnabled(true);
        return m_message->setError(edit.error());
    }
    m_written = true;
    for (QLineEdit* field : {m_pattern, m_limit, m_window}) {
        if (field)
            field->setReadOnly(true);
    }
    m_lines->setText(QString::fromUtf8(edit->lines));
    const QString where = edit->firstLine == edit->lastLine
                              ? tr("line %1").arg(edit->firstLine)
                              : tr("lines %1 to %2").arg(edit->firstLine).arg(edit->lastLine);
    m_message->setMessage(
        InlineMessage::Tone::Ok,
        tr("Written and applied: %1 of %2. To revert it, edit them there.").arg(where, m_path));
    m_cancel->hide();
    m_write->setText(tr("&Close"));
    m_write->setEnabled(true);
    m_write->setFocus();
    if (m_session)
        m_session->noteConfigEdited();
}

} // namespace lk
