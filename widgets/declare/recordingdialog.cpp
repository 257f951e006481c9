// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/declare/recordingdialog.h"

#include "backend/config/recordingconfig.h"
#include "backend/session/recording/recordingswitch.h"
#include "backend/session/recording/sessionrecorder.h"
#include "backend/text/time/duration.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/controls/labels/wrappedlabel.h"
#include "widgets/declare/recordingfacts.h"
#include "widgets/saving/offthread.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>

namespace lk {

namespace {

constexpr int fieldCharacters = 12;

/// "500MB", "2 GB": in powers of 1024, as the file has it.
std::optional<qint64> sizeOf(const QString& text)
{
    static const QRegularExpression written(QStringLiteral("^([1-9][0-9]{0,8}) ?([MGT])B?$"),
                                            QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = written.match(text.trimmed());
    if (!match.hasMatch())
        return std::nullopt;
    const QChar unit = match.captured(2).at(0).toUpper();
    const int shift = unit == QLatin1Char('M') ? 20 : unit == QLatin1Char('G') ? 30 : 40;
    const qint64 number = match.captured(1).toLongLong();
    return std::min(number, mostRecordingBytes >> shift) << shift;
}

} // namespace

RecordingDialog* RecordingDialog::open(Session* session, QWidget* over)
{
    auto* dialog = new RecordingDialog(session->live(), over->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->QDialog::open();
    return dialog;
}

RecordingDialog::RecordingDialog(Session* session, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_path(session->configFile())
    , m_saved(session->config().recording)
    , m_on(new QCheckBox(tr("&Record what this console monitors")))
    , m_facts(new FactGrid)
    , m_size(new QLineEdit(configSize(m_saved.capBytes)))
    , m_keep{}
    , m_message(new InlineMessage)
    , m_close(new QPushButton(tr("Close")))
    , m_save(new QPushButton(tr("&Save")))
{
    setObjectName(QStringLiteral("recordingDialog"));
    setWindowTitle(tr("Recording – Lockkeeper"));
    setMinimumWidth(560);
    auto* form = new QFormLayout;
    buildFields(form);
    auto* buttons = rowOf(8, {BoxStretch{}, m_close, m_save});
    m_save->setDefault(true);
    columnIn(
        this, {16, 16, 16, 16}, 12,
        {wrappedLabel(tr("Recording"), uiFont(TextSize::Title)), m_on,
         wrappedLabel(tr("States, numbers, holders, findings and actions, with no payload "
                         "and no token code. It is what the time bar, What happened and "
                         "lockkeeper history show."),
                      uiFont(TextSize::Caption)),
         m_facts, form,
         wrappedLabel(m_path.isEmpty()
                          ? tr("This session has no configuration file to save sizes and "
                               "times to.")
                          : tr("Size and times are saved to %1, under [recording].").arg(m_path),
                      uiFont(TextSize::Caption)),
         m_message, BoxStretch{}, buttons});

    RecordingSwitch* its = recordingSwitchOf(*session);
    m_on->setObjectName(QStringLiteral("recordingOn"));
    m_on->setChecked(its ? its->isOn() : recorderOf(*session) != nullptr);
    m_on->setEnabled(its);
    if (!its)
        m_on->setToolTip(tr("This window cannot turn it on or off"));
    connect(m_on, &QCheckBox::toggled, this, &RecordingDialog::check);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &RecordingDialog::accept);
    connect(session, &QObject::destroyed, this, &QDialog::close);
    connect(session, &Session::reported, this, &RecordingDialog::refreshFacts);
    refreshFacts();
    check();
}

void RecordingDialog::buildFields(QFormLayout* form)
{
    const auto add = [&](const QString& label, QLineEdit* field, const QString& name,
                         const QString& tip) {
        field->setObjectName(name);
        field->setAccessibleName(QString(label).remove(QLatin1Char('&')));
        field->setToolTip(tip);
        field->setFixedWidth(field->fontMetrics().averageCharWidth() * fieldCharacters);
        field->setEnabled(!m_path.isEmpty());
        form->addRow(label, field);
        connect(field, &QLineEdit::textChanged, this, &RecordingDialog::check);
    };
    add(tr("&Largest size"), m_size, QStringLiteral("size"),
        tr("Such as 500MB or 2GB, in powers of 1024. The oldest data is deleted first"));
    const std::array<QString, 4> labels{tr("&As read for"), tr("Every &10 seconds for"),
                                        tr("Every &minute for"), tr("Every &hour for")};
    for (size_t i = 0; i < m_keep.size(); ++i) {
        m_keep[i] = new QLineEdit(configDuration(m_saved.tiers[i].keepMs));
        add(labels[i], m_keep[i], QLatin1String(recordingTierKeys[i]),
            tr("Such as 1h, 2d or 30d. Older data is kept as set in the next line"));
    }
}

void RecordingDialog::refreshFacts()
{
    if (m_session)
        m_facts->setRows(recordingFacts(*m_session));
}

std::optional<Retention> RecordingDialog::entered(QString& problem) const
{
    Retention retention = m_saved;
    const std::optional<qint64> bytes = sizeOf(m_size->text());
    if (!bytes) {
        problem = tr("The largest size must be a size such as 500MB or 2GB");
        return std::nullopt;
    }
    retention.capBytes = *bytes;
    for (size_t i = 0; i < m_keep.size(); ++i) {
        const Result<qint64> keepMs = parseDuration(m_keep[i]->text().trimmed());
        if (!keepMs) {
            problem =
                tr("%1: must be a duration such as 1h, 2d or 30d").arg(m_keep[i]->accessibleName());
            return std::nullopt;
        }
        retention.tiers[i].keepMs = *keepMs;
    }
    problem = retentionProblem(retention);
    return problem.isEmpty() ? std::optional(retention) : std::nullopt;
}

// Shows errors before anything is saved.
void RecordingDialog::check()
{
    if (!m_session)
        return;
    QString problem;
    const std::optional<Retention> retention = entered(problem);
    const RecordingSwitch* its = recordingSwitchOf(*m_session);
    const bool switched = its && its->isOn() != m_on->isChecked();
    m_save->setEnabled(retention && (switched || !(*retention == m_saved)));
    m_message->setMessage(
        problem.isEmpty() ? InlineMessage::Tone::Warning : InlineMessage::Tone::Problem, problem);
}

void RecordingDialog::accept()
{
    QString problem;
    const std::optional<Retention> retention = entered(problem);
    if (!m_session || !m_save->isEnabled() || !retention)
        return;
    m_save->setEnabled(false);
    if (RecordingSwitch* its = recordingSwitchOf(*m_session); its)
        its->setOn(m_on->isChecked());
    refreshFacts();
    if (*retention == m_saved)
        tellSaved(m_on->isChecked() ? tr("Recording is on") : tr("Recording is off"));
    else
        write(*retention);
}

void RecordingDialog::write(const Retention& retention)
{
    changeFile<ConfigEdit>(
        this,
        [retention, path = m_path] {
            return editConfigFile(path, [&](const QByteArray& toml) {
                return writeRecording(toml, path, retention);
            });
        },
        [this, retention](const Result<ConfigEdit>& edit) {
            if (edit)
                m_saved = retention;
            onWritten(edit);
        });
}

void RecordingDialog::onWritten(const Result<ConfigEdit>& edit)
{
    if (!edit) {
        m_save->setEnabled(true);
        return m_message->setError(edit.error());
    }
    tellSaved(edit->firstLine == edit->lastLine
                  ? tr("Saved and applied: line %1 of %2").arg(edit->firstLine).arg(m_path)
                  : tr("Saved and applied: lines %1 to %2 of %3")
                        .arg(edit->firstLine)
                        .arg(edit->lastLine)
                        .arg(m_path));
    if (m_session)
        m_session->noteConfigEdited();
}

void RecordingDialog::tellSaved(const QString& text)
{
    m_message->setMessage(InlineMessage::Tone::Ok, text);
    m_close->setFocus();
}

} // namespace lk
