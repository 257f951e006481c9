// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/alerts/quietdialog.h"

#include "backend/config/alerts/quietedit.h"
#include "backend/config/config.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/controls/labels/wrappedlabel.h"
#include "widgets/saving/offthread.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTimeEdit>

#include <algorithm>

namespace lk {

namespace {

constexpr quint8 everyDay = 0x7f;
constexpr QuietHours nights{everyDay, 22 * 60, 7 * 60, Finding::Severity::Warning};

QTime timeOf(int minute)
{
    return QTime(minute / 60, minute % 60);
}

int minuteOf(const QTime& time)
{
    return time.hour() * 60 + time.minute();
}

// "22:00 \u2013 07:00 \u00b7 Mon, Tue"
QString titleOf(const QuietHours& hours)
{
    QStringList days;
    for (int day = 0; day < 7; ++day) {
        if (hours.days & (1U << day))
            days << QLocale().dayName(day + 1, QLocale::ShortFormat);
    }
    return QStringLiteral("%1 \u2013 %2 \u00b7 %3")
        .arg(configClock(hours.fromMinute), configClock(hours.toMinute),
             hours.days == everyDay ? QuietDialog::tr("every day")
                                    : days.join(QStringLiteral(", ")));
}

} // namespace

QuietDialog* QuietDialog::open(Session* session, QWidget* over)
{
    auto* dialog = new QuietDialog(session, over->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->QDialog::open();
    return dialog;
}

QuietDialog::QuietDialog(Session* session, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_path(session->configFile())
    , m_which(new QComboBox)
    , m_from(new QTimeEdit)
    , m_to(new QTimeEdit)
    , m_days{}
    , m_upTo(new QComboBox)
    , m_lines(wrappedLabel({}, monoFont(TextSize::Caption)))
    , m_message(new InlineMessage)
    , m_remove(new QPushButton(tr("&Remove")))
    , m_close(new QPushButton(tr("&Close")))
    , m_write(new QPushButton(tr("&Write")))
{
    setObjectName(QStringLiteral("quietDialog"));
    setWindowTitle(tr("Quiet hours \u2013 Lockkeeper"));
    setMinimumWidth(560);
    auto* form = new QFormLayout;
    buildFields(form);
    m_lines->setFrameShape(QFrame::StyledPanel);
    m_lines->setMargin(8);
    m_lines->setObjectName(QStringLiteral("quietLines"));
    auto* buttons = rowOf(8, {m_remove, BoxStretch{}, m_close, m_write});
    m_write->setDefault(true);
    m_write->setEnabled(false);
    m_remove->setEnabled(false);
    columnIn(
        this, {16, 16, 16, 16}, 12,
        {wrappedLabel(tr("Quiet hours"), uiFont(TextSize::Title)),
         wrappedLabel(tr("During quiet hours, alerts that can wait send no notifications. Those "
                         "that are still open afterwards send theirs then. The board always shows "
                         "all alerts. Times are in this machine's time zone."),
                      uiFont(TextSize::Body)),
         form, wrappedLabel(tr("This is written to %1:").arg(m_path), uiFont(TextSize::Caption)),
         m_lines, m_message, BoxStretch{}, buttons});
    connect(m_remove, &QPushButton::clicked, this, [this] { write(std::nullopt); });
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_write, &QPushButton::clicked, this, &QuietDialog::accept);
    connect(session, &QObject::destroyed, this, &QDialog::close);
    readFile(this, m_path, [this](const Result<QByteArray>& toml) { onRead(toml); });
}

void QuietDialog::buildFields(QFormLayout* form)
{
    const auto add = [&](const QString& label, QWidget* field, const char* name) {
        field->setObjectName(QLatin1String(name));
        field->setAccessibleName(QString(label).remove(QLatin1Char('&')));
        form->addRow(label, field);
    };
    add(tr("&Quiet hours"), m_which, "which");
    for (QTimeEdit* time : {m_from, m_to}) {
        time->setDisplayFormat(QStringLiteral("HH:mm"));
        connect(time, &QTimeEdit::timeChanged, this, &QuietDialog::preview);
    }
    add(tr("&From"), m_from, "from");
    add(tr("&To"), m_to, "to");
    auto* days = new QWidget;
    auto* row = rowIn(days, {}, 8);
    for (size_t day = 0; day < m_days.size(); ++day) {
        m_days[day] = new QCheckBox(QLocale().dayName(int(day) + 1, QLocale::ShortFormat));
        m_days[day]->setAccessibleName(QLocale().dayName(int(day) + 1));
        connect(m_days[day], &QCheckBox::toggled, this, &QuietDialog::preview);
        row->addWidget(m_days[day]);
    }
    row->addStretch(1);
    form->addRow(tr("Starting on"), days);
    add(tr("Can w&ait"), m_upTo, "upTo");
    m_upTo->addItem(tr("info"), int(Finding::Severity::Info));
    m_upTo->addItem(tr("info and warning"), int(Finding::Severity::Warning));
    m_upTo->addItem(tr("info, warning and error"), int(Finding::Severity::Error));
    connect(m_which, &QComboBox::currentIndexChanged, this, &QuietDialog::showChosen);
    connect(m_upTo, &QComboBox::currentIndexChanged, this, &QuietDialog::preview);
}

void QuietDialog::onRead(const Result<QByteArray>& toml)
{
    if (!toml)
        return m_message->setError(toml.error());
    m_toml = *toml;
    m_read = true;
    list(0);
}

void QuietDialog::list(int chosen)
{
    const Result<Config> config = parseConfig(m_toml, m_path);
    m_filling = true;
    m_which->clear();
    m_hours = config ? config->alerts.quiet : std::vector<QuietHours>();
    for (const QuietHours& hours : m_hours)
        m_which->addItem(titleOf(hours));
    m_which->addItem(tr("New quiet hours"));
    m_which->setCurrentIndex(std::min(chosen, int(m_hours.size())));
    m_filling = false;
    showChosen();
}

int QuietDialog::place() const
{
    const int index = m_which->currentIndex();
    return index < int(m_hours.size()) ? index : -1;
}

void QuietDialog::showChosen()
{
    if (m_filling)
        return;
    m_filling = true;
    const QuietHours hours = place() >= 0 ? m_hours[size_t(place())] : nights;
    m_from->setTime(timeOf(hours.fromMinute));
    m_to->setTime(timeOf(hours.toMinute));
    for (size_t day = 0; day < m_days.size(); ++day)
        m_days[day]->setChecked(hours.days & (1U << day));
    m_upTo->setCurrentIndex(m_upTo->findData(int(hours.upTo)));
    m_filling = false;
    preview();
}

QuietHours QuietDialog::entered() const
{
    QuietHours hours;
    hours.fromMinute = minuteOf(m_from->time());
    hours.toMinute = minuteOf(m_to->time());
    hours.days = 0;
    for (size_t day = 0; day < m_days.size(); ++day) {
        if (m_days[day]->isChecked())
            hours.days = quint8(hours.days | 1U << day);
    }
    hours.upTo = Finding::Severity(m_upTo->currentData().toInt());
    return hours;
}

// Shows the exact lines, or the errors, before anything is written.
void QuietDialog::preview()
{
    if (!m_read || m_filling)
        return;
    const QuietHours hours = entered();
    const bool asItIs = place() >= 0 && m_hours[size_t(place())] == hours;
    Result<ConfigEdit> edit = writeQuiet(m_toml, m_path, hours, place());
    if (hours.days == 0)
        edit = failure(ErrorCode::BadArgument, tr("Choose at least one day"));
    m_remove->setEnabled(place() >= 0);
    m_write->setEnabled(edit && !asItIs);
    m_lines->setText(edit ? QString::fromUtf8(edit->lines) : QString());
    m_lines->setVisible(edit && !asItIs);
    if (edit)
        m_message->setMessage(InlineMessage::Tone::Hint, QString());
    else
        m_message->setMessage(InlineMessage::Tone::Problem, sentences(edit.error()));
}

void QuietDialog::accept()
{
    if (m_write->isEnabled())
        write(entered());
}

void QuietDialog::write(const std::optional<QuietHours>& wanted)
{
    m_write->setEnabled(false);
    m_remove->setEnabled(false);
    const int at = place();
    changeFile<ConfigEdit>(
        this,
        [wanted, at, path = m_path] {
            return editConfigFile(
                path, [&](const QByteArray& toml) { return writeQuiet(toml, path, wanted, at); });
        },
        [this, at](const Result<ConfigEdit>& edit) {
            if (!edit) {
                preview();
                return m_message->setError(edit.error());
            }
            m_toml = edit->text;
            list(at >= 0 ? at : int(m_hours.size()));
            m_message->setMessage(InlineMessage::Tone::Ok,
                                  tr("Written to %1 and applied").arg(m_path));
            if (m_session)
                m_session->noteConfigEdited();
        });
}

} // namespace lk
