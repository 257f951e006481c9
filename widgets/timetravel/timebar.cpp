// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timetravel/timebar.h"

#include "backend/core/names/keyname.h"
#include "backend/text/errortext.h"
#include "backend/text/time/duration.h"
#include "backend/text/time/moment.h"
#include "widgets/charts/chartformat.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"
#include "widgets/timetravel/timestrip.h"

#include <QComboBox>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QToolButton>

#include <ranges>
#include <utility>

namespace lk {

namespace {

constexpr int longestName = 40;
constexpr int mostEvents = 3;       // of one moment
constexpr int fieldCharacters = 22; // "2026-11-22T03:12:40Z"

} // namespace

TimeBar::TimeBar(QWidget* parent)
    : QWidget(parent)
    , m_past(new QWidget)
    , m_mark(new QLabel)
    , m_sentence(new QLabel)
    , m_live(new QToolButton)
    , m_previous(
          makeButton(tr("Previous event"),
                     tr("Show the moment of the previous event (Ctrl+Left on the time bar)")))
    , m_play(makeButton(tr("Play"), tr("Play the recording from here (Space on the time bar)")))
    , m_next(makeButton(tr("Next event"), tr("Show the moment of the next event (Ctrl+Right on "
                                             "the time bar)")))
    , m_speed(new QComboBox)
    , m_strip(new TimeStrip)
    , m_time(new QToolButton)
    , m_field(new QLineEdit)
{
    setObjectName(QStringLiteral("timeBar"));
    m_sentence->setObjectName(QStringLiteral("pastSentence"));
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    m_live->setText(tr("Back to live"));
    m_live->setToolTip(tr("Show live data again (End on the time bar)"));
    m_live->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_live->setFocusPolicy(Qt::StrongFocus);
    for (const int times : {1, 10, 60})
        m_speed->addItem(tr("%1\u00d7").arg(times), double(times));
    m_speed->setAccessibleName(tr("Playback speed"));
    m_speed->setToolTip(tr("How fast the recording plays"));
    m_time->setAutoRaise(true);
    m_time->setFocusPolicy(Qt::StrongFocus);
    m_time->setObjectName(QStringLiteral("timeButton"));
    m_field->setObjectName(QStringLiteral("timeField"));
    m_field->setAccessibleName(tr("Time to show"));
    m_field->setPlaceholderText(tr("03:12, -2h, now"));
    m_field->setFixedWidth(m_field->fontMetrics().averageCharWidth() * fieldCharacters);
    m_field->installEventFilter(this);
    m_field->hide();

    rowIn(m_past, {16, 5, 16, 0}, 8, {m_mark, {m_sentence, 1}, m_live});
    auto* row = new QHBoxLayout;
    row->setContentsMargins(16, 4, 16, 2);
    row->setSpacing(4);
    for (QWidget* part : std::initializer_list<QWidget*>{m_previous, m_play, m_next, m_speed})
        row->addWidget(part);
    row->addWidget(m_strip, 1);
    row->addWidget(m_time);
    row->addWidget(m_field);
    columnIn(this, {}, 0, {m_past, row});
    m_past->hide();

    connect(m_live, &QToolButton::clicked, this, &TimeBar::liveWanted);
    connect(m_previous, &QToolButton::clicked, this, [this] { emit eventWanted(false); });
    connect(m_next, &QToolButton::clicked, this, [this] { emit eventWanted(true); });
    connect(m_play, &QToolButton::clicked, this, [this] { emit playWanted(!m_playing); });
    connect(m_speed, &QComboBox::activated, this, &TimeBar::speedChanged);
    connect(m_strip, &TimeStrip::momentWanted, this, &TimeBar::momentWanted);
    connect(m_strip, &TimeStrip::liveWanted, this, &TimeBar::liveWanted);
    connect(m_strip, &TimeStrip::eventWanted, this, &TimeBar::eventWanted);
    connect(m_strip, &TimeStrip::playWanted, this, [this] { emit playWanted(!m_playing); });
    connect(m_time, &QToolButton::clicked, this, &TimeBar::openField);
    connect(m_field, &QLineEdit::returnPressed, this, &TimeBar::goToTyped);
    connect(m_field, &QLineEdit::textEdited, this, [this] { showProblem({}); });
    followPalette(this, [this] { updateIcons(); });
    updateTexts();
}

QToolButton* TimeBar::makeButton(const QString& name, const QString& tip)
{
    auto* button = new QToolButton;
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleName(name);
    button->setToolTip(tip);
    return button;
}

void TimeBar::setRecorded(qint64 firstMs, qint64 nowMs)
{
    m_nowMs = nowMs;
    m_strip->setRecorded(firstMs, nowMs);
    updateTexts();
}

void TimeBar::setMoment(std::optional<qint64> momentMs, qint64 blindSinceMs)
{
    if (m_momentMs != momentMs)
        m_event.clear();
    m_momentMs = momentMs;
    m_blindSinceMs = blindSinceMs;
    m_problem.clear();
    m_strip->setMoment(momentMs);
    updateTexts();
    update();
}

void TimeBar::setPlaying(bool playing)
{
    if (std::exchange(m_playing, playing) == playing)
        return;
    m_play->setAccessibleName(playing ? tr("Stop playing") : tr("Play"));
    updateIcons();
    updateTexts();
}

void TimeBar::setEvents(const std::vector<TimeMark>& marks)
{
    const auto most = size_t(mostEvents);
    QStringList texts;
    for (const TimeMark& mark : marks | std::views::take(mostEvents)) {
        const QString name = displayPreview(mark.primitive.name, longestName);
        texts << (name.isEmpty() ? mark.text : tr("%1: %2").arg(name, mark.text));
    }
    if (marks.size() > most)
        texts << tr("and %Ln more at that moment", nullptr, int(marks.size() - most));
    m_event = texts.join(QStringLiteral("  \u00b7  "));
    updateTexts();
}

void TimeBar::showProblem(const QString& problem)
{
    m_problem = problem;
    updateTexts();
}

double TimeBar::speed() const
{
    return m_speed->currentData().toDouble();
}

QString TimeBar::sentence() const
{
    return m_sentence->text();
}

void TimeBar::updateTexts()
{
    m_time->setText(m_momentMs ? clockText(*m_momentMs, m_nowMs) : tr("Live"));
    m_time->setToolTip(m_momentMs ? plainTip(momentText(*m_momentMs) + QLatin1Char('\n') +
                                             tr("Click to show another time (Ctrl+T)"))
                                  : tr("Click to show another time (Ctrl+T)"));
    m_time->setAccessibleName(tr("Time shown: %1").arg(m_time->text()));
    m_past->setVisible(m_momentMs || !m_problem.isEmpty());
    m_live->setVisible(m_momentMs.has_value());
    if (!m_problem.isEmpty())
        return m_sentence->setText(m_problem);
    if (!m_momentMs)
        return m_sentence->clear();
    const QString age = formatDuration(std::max<qint64>(0, m_nowMs - *m_momentMs));
    QString text =
        m_playing ? tr("Playing %1, %2 ago. Actions are off.").arg(momentText(*m_momentMs), age)
                  : tr("Showing %1, %2 ago. Actions are off.").arg(momentText(*m_momentMs), age);
    if (m_blindSinceMs > 0)
        text += QLatin1Char(' ') + tr("Nothing was recorded then: values are from %1.")
                                       .arg(clockText(m_blindSinceMs, m_nowMs));
    if (!m_event.isEmpty())
        text += QStringLiteral("  \u00b7  ") + m_event;
    m_sentence->setText(text);
}

void TimeBar::openField()
{
    m_time->hide();
    m_field->setText(m_momentMs ? clockText(*m_momentMs, m_nowMs) : QString());
    m_field->show();
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void TimeBar::closeField()
{
    if (m_field->isHidden())
        return;
    const bool focus = m_field->hasFocus();
    m_field->hide();
    m_time->show();
    showProblem({});
    if (focus)
        m_strip->setFocus(Qt::OtherFocusReason);
}

void TimeBar::goToTyped()
{
    const Result<qint64> moment = parseMoment(m_field->text().trimmed(), m_nowMs);
    if (!moment)
        return showProblem(errorText(moment.error()));
    closeField();
    if (*moment >= m_nowMs)
        emit liveWanted();
    else
        emit momentWanted(*moment);
}

void TimeBar::updateIcons()
{
    m_previous->setIcon(icon(QStringLiteral("chevron-left"), palette()));
    m_next->setIcon(icon(QStringLiteral("chevron-right"), palette()));
    m_play->setIcon(icon(m_playing ? QStringLiteral("pause") : QStringLiteral("play"), palette()));
    m_live->setIcon(icon(QStringLiteral("to-end"), palette()));
    const int side = fontMetrics().height();
    m_mark->setPixmap(
        icon(QStringLiteral("clock"), ColorRole::Violet, palette()).pixmap(side, side));
}

bool TimeBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_field && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        closeField();
        return true;
    }
    if (watched == m_field && event->type() == QEvent::FocusOut && m_problem.isEmpty())
        closeField();
    return QWidget::eventFilter(watched, event);
}

void TimeBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(rect(), colors.surface);
    if (m_momentMs)
        painter.fillRect(rect(), colors.tint(ColorRole::Violet));
    painter.fillRect(QRect(0, 0, width(), 1), m_momentMs ? colors.violet : colors.border);
}

} // namespace lk
