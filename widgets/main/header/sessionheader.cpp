// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/main/header/sessionheader.h"

#include "backend/session/session.h"
#include "backend/session/sessionpolling.h"
#include "widgets/actions/writemode/writemode.h"
#include "widgets/controls/environmentbadge.h"
#include "widgets/controls/input/returnkey.h"
#include "widgets/controls/labels/elidedlabel.h"
#include "widgets/server/statustexts.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace lk {

namespace {

struct Rate
{
    int ms;
    const char* title;
};
constexpr Rate rates[] = {{100, QT_TRANSLATE_NOOP("lk::SessionHeader", "10 per second")},
                          {250, QT_TRANSLATE_NOOP("lk::SessionHeader", "4 per second")},
                          {500, QT_TRANSLATE_NOOP("lk::SessionHeader", "2 per second")},
                          {1000, QT_TRANSLATE_NOOP("lk::SessionHeader", "Every second")},
                          {5000, QT_TRANSLATE_NOOP("lk::SessionHeader", "Every 5 seconds")}};
constexpr int defaultIntervalMs = 250;
constexpr int comesBackAt = 48; // pixels to spare: the round trip's text is never of one width
const QString betweenFacts = QStringLiteral("  \u00b7  ");

// Returns the extra width of a button with its text beside the icon, in pixels.
int textWidth(const QToolButton& button)
{
    const QFontMetrics metrics = button.fontMetrics();
    return metrics.horizontalAdvance(button.text()) + 2 * metrics.horizontalAdvance(u' ') + 4;
}

// If the facts do not fit, the buttons drop their texts, one after the other: their tool tips and
// icons say the same, but the facts appear nowhere else. factsWidth: the width of all facts.
// iconWidth: the width of a button without its text.
void fitButtons(const QWidget& header, const QWidget& facts, int factsWidth,
                std::initializer_list<QToolButton*> buttons, int iconWidth)
{
    const QLayout& row = *header.layout();
    const QMargins margins = row.contentsMargins();
    int needed = margins.left() + margins.right() - row.spacing() + factsWidth;
    for (int i = 0; i < row.count(); ++i) {
        const QWidget* widget = row.itemAt(i)->widget();
        if (widget->isHidden())
            continue;
        needed += row.spacing();
        const auto* button = std::find(buttons.begin(), buttons.end(), widget);
        if (button != buttons.end())
            needed += iconWidth + textWidth(**button);
        else if (widget != &facts)
            needed += widget->sizeHint().width();
    }
    for (QToolButton* button : buttons) {
        const bool isTexted = button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon;
        const bool texted = needed + (isTexted ? 0 : comesBackAt) <= header.width();
        if (!texted)
            needed -= textWidth(*button);
        button->setToolButtonStyle(texted ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    }
}

} // namespace

SessionHeader::SessionHeader(QWidget* parent)
    : QWidget(parent)
    , m_environment(new EnvironmentBadge)
    , m_endpoint(new ElidedLabel)
    , m_facts(new QLabel)
    , m_pause(new QToolButton)
    , m_rescan(new QToolButton)
    , m_rate(new QComboBox)
    , m_writeMode(new WriteModeButton)
    , m_connect(new QToolButton)
{
    auto* layout = rowIn(this, {16, 8, 16, 9}, 12);
    QFont font = uiFont(TextSize::Title);
    font.setWeight(QFont::DemiBold);
    m_endpoint->setFont(font);
    m_facts->setForegroundRole(QPalette::PlaceholderText);
    m_facts->setTextFormat(Qt::PlainText); // text from a server is never markup
    m_facts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_facts->setMinimumWidth(m_facts->fontMetrics().horizontalAdvance(QChar(0x2026)));
    m_facts->installEventFilter(this);
    for (const Rate& rate : rates)
        m_rate->addItem(tr(rate.title), rate.ms);
    m_rate->setCurrentIndex(m_rate->findData(defaultIntervalMs));
    m_rate->setAccessibleName(tr("Polling interval"));
    m_rate->setToolTip(tr("How often visible rows are read"));
    m_pause->setCheckable(true);
    m_rescan->setAccessibleName(tr("Rescan"));
    m_rescan->setToolTip(tr("Scan all keys again now (F5)"));
    m_connect->setText(tr("Connect…"));
    m_connect->setToolTip(tr("Open another deployment (Ctrl+N)"));
    for (QToolButton* button : {m_pause, m_rescan, m_connect})
        button->setFocusPolicy(Qt::StrongFocus);
    layout->addWidget(m_environment);
    layout->addWidget(m_endpoint);
    layout->addWidget(m_facts, 1);
    layout->addWidget(m_writeMode);
    layout->addWidget(m_rate);
    layout->addWidget(m_pause);
    layout->addWidget(m_rescan);
    layout->addWidget(m_connect);
    connect(m_writeMode, &WriteModeButton::masterWanted, this, &SessionHeader::masterWanted);
    connect(m_connect, &QToolButton::clicked, this, &SessionHeader::connectWanted);
    connect(m_pause, &QToolButton::clicked, this, [this](bool paused) {
        if (m_session)
            m_session->polling().setPaused(paused);
    });
    connect(m_rescan, &QToolButton::clicked, this, [this] {
        if (m_session)
            m_session->polling().rescan();
    });
    connect(m_rate, &QComboBox::activated, this, [this](int index) {
        if (m_session)
            m_session->polling().setInterval(m_rate->itemData(index).toInt());
    });
    followPalette(this, [this] { updateIcons(); });
    refresh();
}

int SessionHeader::pollingIntervalMs() const
{
    return m_rate->currentData().toInt();
}

void SessionHeader::setPollingIntervalMs(int ms)
{
    const int offered = m_rate->findData(ms);
    m_rate->setCurrentIndex(offered >= 0 ? offered : m_rate->findData(defaultIntervalMs));
    if (m_session)
        m_session->polling().setInterval(pollingIntervalMs());
}

void SessionHeader::showWriteMode()
{
    popupBelow(*m_writeMode);
}

void SessionHeader::setPast(bool past)
{
    m_writeMode->setPast(past);
}

void SessionHeader::setSession(Session* session)
{
    if (m_session)
        m_session->disconnectAll(this);
    m_session = session;
    m_writeMode->setSession(session);
    if (m_session) {
        connect(m_session, &Session::statusChanged, this, &SessionHeader::refresh);
        connect(m_session, &Session::infoChanged, this, &SessionHeader::refresh);
        connect(m_session, &Session::reported, this, &SessionHeader::refresh);
        connect(&m_session->polling(), &SessionPolling::pausedChanged, this, [this] {
            updateIcons();
            refresh();
        });
        m_session->polling().setInterval(pollingIntervalMs());
    }
    updateIcons();
    refresh();
}

void SessionHeader::refresh()
{
    const bool there = m_session;
    for (QWidget* control : std::initializer_list<QWidget*>{m_pause, m_rescan, m_rate, m_writeMode})
        control->setVisible(there);
    if (!there) {
        m_environment->setLabel({});
        m_environment->hide();
        m_endpoint->setText(tr("No server"));
        m_parts.clear();
        fitFacts();
        return;
    }
    m_environment->setLabel(m_session->environment());
    m_environment->setVisible(!m_session->environment().isEmpty());
    m_endpoint->setText(m_session->name());
    QStringList parts;
    if (m_session->status().phase == ConnectionStatus::Phase::Ready) {
        const ServerInfo& info = m_session->info();
        // In a cluster, the role of one node says nothing, and the coverage implies masters.
        const bool isAlone = m_session->report().coverage.isEmpty();
        const QString role = isAlone ? nodeRoleName(info.role()) : QString();
        if (!info.isEmpty())
            parts << (info.facts({}).program() + QLatin1Char(' ') + role).trimmed();
        if (!m_session->report().coverage.isEmpty())
            parts << m_session->report().coverage;
        parts << roundTripText(m_session->report().cost);
        if (m_session->report().clock.known() &&
            std::abs(m_session->report().clock.offsetMs) > 1000)
            parts << tr("clock %1").arg(clockText(m_session->report().clock));
    }
    if (m_session->polling().isPaused())
        parts << tr("paused");
    m_parts = parts;
    m_facts->setToolTip(
        plainTip((QStringList{m_session->url().endpoint()} + parts).join(QLatin1Char('\n'))));
    fitFacts();
}

// A fact is shown completely or not at all: half a version is another version. The tool tip has all
// of them.
void SessionHeader::fitFacts()
{
    const int facts = m_facts->fontMetrics().horizontalAdvance(m_parts.join(betweenFacts));
    fitButtons(*this, *m_facts, facts, {m_connect, m_pause}, m_rescan->sizeHint().width());
    const QString more = QStringLiteral("\u2026");
    QStringList parts = m_parts;
    QString text = parts.join(betweenFacts);
    while (!parts.isEmpty() && m_facts->fontMetrics().horizontalAdvance(text) > m_facts->width()) {
        parts.removeLast();
        text = (parts + QStringList{more}).join(betweenFacts);
    }
    m_facts->setText(text);
}

bool SessionHeader::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_facts && event->type() == QEvent::Resize)
        fitFacts();
    return QWidget::eventFilter(watched, event);
}

void SessionHeader::updateIcons()
{
    const bool paused = m_session && m_session->polling().isPaused();
    m_pause->setChecked(paused);
    m_pause->setText(paused ? tr("Resume") : tr("Pause"));
    m_pause->setToolTip(paused ? tr("Resume reading (Ctrl+P)")
                               : tr("Stop reading until resumed (Ctrl+P)"));
    m_pause->setIcon(icon(paused ? QStringLiteral("play") : QStringLiteral("pause"), palette()));
    m_rescan->setIcon(icon(QStringLiteral("refresh"), palette()));
    m_connect->setIcon(icon(QStringLiteral("connect"), palette()));
}

void SessionHeader::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(rect(), colors.surface);
    painter.fillRect(QRect(0, height() - 1, width(), 1), colors.border);
}

} // namespace lk
