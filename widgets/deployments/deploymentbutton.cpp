// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/deployments/deploymentbutton.h"

#include "backend/session/sessionacting.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"
#include "widgets/controls/environmentbadge.h"
#include "widgets/theme/accessiblerole.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace lk {

namespace {

constexpr int padding = 12;
constexpr int barWidth = 4; // of the environment's colour
constexpr int gap = 4;      // between an icon and its word
constexpr int wordGap = 12; // between two words
constexpr int lineMargin = 5;
constexpr int widest = 280;

QFont nameFont(bool isInFront)
{
    QFont font = uiFont(TextSize::Body);
    font.setWeight(isInFront ? QFont::DemiBold : QFont::Normal);
    return font;
}

int wordWidth(const StatusWord& word)
{
    const QFontMetrics metrics(uiFont(TextSize::Caption));
    return metrics.height() + gap + metrics.horizontalAdvance(word.text);
}

} // namespace

DeploymentButton::DeploymentButton(Session* session, QWidget* parent)
    : QAbstractButton(parent)
    , m_session(session)
{
    setText(session->name());
    setAccessibleRole(this, QAccessible::PageTab);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    connect(session, &Session::statusChanged, this, &DeploymentButton::refresh);
    connect(&session->findings(), &SessionFindings::changed, this, &DeploymentButton::refresh);
    connect(&session->polling(), &SessionPolling::pausedChanged, this, &DeploymentButton::refresh);
    connect(session, &Session::reported, this, &DeploymentButton::refresh);
    connect(&session->acting(), &SessionActing::writeModeChanged, this, &DeploymentButton::refresh);
    refresh();
}

void DeploymentButton::setKey(const QKeySequence& key)
{
    m_key = key;
    refresh();
}

void DeploymentButton::refresh()
{
    if (!m_session)
        return;
    const StatusWord state = connectionWord(*m_session);
    const StatusWord worst = worstFindingWord(*m_session);
    if (!(state == m_state) || !(worst == m_worst) ||
        m_writes != m_session->acting().isWriteModeOn()) {
        m_state = state;
        m_worst = worst;
        m_writes = m_session->acting().isWriteModeOn();
        updateGeometry();
        update();
    }
    const QString all = deploymentText(*m_session);
    setAccessibleName(all);
    const QString key = m_key.toString(QKeySequence::NativeText);
    setToolTip(plainTip(m_session->title() + QLatin1Char('\n') + all +
                        (key.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(key))));
}

QSize DeploymentButton::sizeHint() const
{
    const QFontMetrics name(nameFont(true));
    const int icons = 2 * (name.height() + gap);
    const int width = std::max(name.horizontalAdvance(text()) + icons,
                               wordWidth(m_state) + wordGap + wordWidth(m_worst));
    const int lines = name.height() + QFontMetrics(uiFont(TextSize::Caption)).height();
    return {std::clamp(barWidth + 2 * padding + width, narrowest, widest),
            lines + 2 * lineMargin + 2};
}

QSize DeploymentButton::minimumSizeHint() const
{
    return {narrowest, sizeHint().height()};
}

// Returns the pixels that it took.
int DeploymentButton::paintWord(QPainter& painter, const StatusWord& word, QRect line) const
{
    const int side = line.height();
    if (line.width() < side)
        return 0;
    lk::icon(word.iconName, word.role, palette())
        .paint(&painter, QRect(line.left(), line.top() + 1, side - 2, side - 2));
    line.setLeft(line.left() + side + gap);
    const QString text =
        painter.fontMetrics().elidedText(word.text, Qt::ElideRight, std::max(0, line.width()));
    painter.setPen(themeColors(palette()).second);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, text);
    return side + gap + painter.fontMetrics().horizontalAdvance(text);
}

void DeploymentButton::paintEvent(QPaintEvent*)
{
    if (!m_session)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors(palette());
    if (isChecked())
        painter.fillRect(rect(), colors.surface);
    else if (underMouse())
        painter.fillRect(rect(), colors.tint(ColorRole::Second));
    const QString environment = m_session->environment();
    const EnvironmentStyle style = environmentStyle(environment);
    if (!environment.isEmpty())
        painter.fillRect(QRect(0, 0, barWidth, height()), colors.of(style.role));
    if (isChecked())
        painter.fillRect(QRect(0, 0, width(), 2), colors.accent);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), colors.border);
    if (hasFocus()) {
        painter.setPen(colors.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1.5, 1.5, -2.5, -1.5));
    }
    painter.setFont(nameFont(isChecked()));
    const int nameHeight = painter.fontMetrics().height();
    QRect line(barWidth + padding, lineMargin + 1, width() - barWidth - 2 * padding, nameHeight);
    const auto paintIcon = [&](const QString& name, ColorRole role, int left) {
        lk::icon(name, role, palette())
            .paint(&painter, QRect(left, line.top() + 1, nameHeight - 2, nameHeight - 2));
    };
    QRect nameLine = line;
    if (!environment.isEmpty() && !style.icon.isEmpty()) {
        paintIcon(style.icon, style.role, line.left());
        nameLine.setLeft(line.left() + nameHeight + gap);
    }
    if (m_writes) {
        paintIcon(QStringLiteral("unlock"), style.filled ? ColorRole::Danger : ColorRole::Warning,
                  line.right() - nameHeight + 2);
        nameLine.setRight(line.right() - nameHeight - gap);
    }
    painter.setPen(colors.text);
    painter.drawText(nameLine, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text(), Qt::ElideMiddle, nameLine.width()));
    painter.setFont(uiFont(TextSize::Caption));
    line = QRect(line.left(), line.bottom() + 1, line.width(), painter.fontMetrics().height());
    // Without room for both, shows the problem.
    const bool isWell = m_session->status().phase == ConnectionStatus::Phase::Ready;
    const bool both = wordWidth(m_state) + wordGap + wordWidth(m_worst) <= line.width();
    if (both) {
        const int taken = paintWord(painter, m_state, line);
        paintWord(painter, m_worst, line.adjusted(taken + wordGap, 0, 0, 0));
    } else {
        paintWord(painter, isWell ? m_worst : m_state, line);
    }
}

void DeploymentButton::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::MiddleButton && rect().contains(event->position().toPoint()))
        emit closeWanted();
    QAbstractButton::mouseReleaseEvent(event);
}

} // namespace lk
