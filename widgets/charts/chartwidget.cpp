// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chartwidget.h"

#include "widgets/charts/chartformat.h"
#include "widgets/charts/chartheader.h"
#include "widgets/charts/chartmenu.h"
#include "widgets/charts/chartpaint.h"
#include "widgets/charts/timeaxis.h"
#include "widgets/theme/theme.h"
#include "widgets/theme/themecolors.h"

#include <QContextMenuEvent>
#include <QDateTime>
#include <QKeyEvent>
#include <QPainter>

#include <utility>

namespace lk {

namespace {

constexpr int longestPart = 60; // of a file's name, in characters
constexpr int captionPad = 8;
constexpr int pixels = 2; // of a picture, for one of the screen

QString dateText(qint64 tMs)
{
    return QDateTime::fromMSecsSinceEpoch(tMs).toString(QStringLiteral("yyyy-MM-dd"));
}

QString timeText(qint64 tMs)
{
    return QDateTime::fromMSecsSinceEpoch(tMs).toString(QStringLiteral("HH:mm:ss"));
}

/// Leaves out characters that some file systems refuse.
QString filePart(const QString& text)
{
    QString part;
    for (const QChar c : text.left(longestPart)) {
        const bool plain = c.isLetterOrNumber() || QStringLiteral(" ._+-").contains(c);
        part += plain ? c : QLatin1Char('-');
    }
    return part;
}

} // namespace

ChartWidget::ChartWidget(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setLayoutDirection(Qt::LeftToRight); // time goes from left to right in every language
}

QString ChartWidget::caption() const
{
    const Shown time = shown();
    QString when = dateText(time.fromMs) + QLatin1Char(' ') + timeText(time.fromMs);
    if (time.toMs != time.fromMs) {
        const bool sameDay = dateText(time.fromMs) == dateText(time.toMs);
        when += QStringLiteral(" \u2013 ") +
                (sameDay ? QString() : dateText(time.toMs) + QLatin1Char(' ')) +
                timeText(time.toMs);
    }
    QStringList parts{m_ofAll ? QString() : m_subject.key, m_subject.server,
                      when + QLatin1Char(' ') + zoneText(time.toMs)};
    parts.removeAll(QString());
    return parts.join(QStringLiteral("  \u00b7  "));
}

QString ChartWidget::fileStem() const
{
    const qint64 tMs = shown().toMs;
    QStringList parts{m_ofAll ? QString() : m_subject.key,
                      chartTitle(),
                      m_subject.server,
                      dateText(tMs),
                      timeText(tMs).remove(QLatin1Char(':')),
                      zoneText(tMs).remove(QLatin1Char(':'))};
    parts.removeAll(QString());
    for (QString& part : parts)
        part = filePart(part);
    return parts.join(QLatin1Char(' '));
}

QImage ChartWidget::draw()
{
    QImage image(size() * pixels, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(pixels);
    image.fill(themeColors(palette()).surface);
    QPainter painter(&image);
    render(&painter);
    return image;
}

QImage ChartWidget::picture()
{
    auto* header = findChild<ChartHeader*>(QString(), Qt::FindDirectChildrenOnly);
    m_drawing = true;
    if (header)
        header->setBare(true);
    const QImage chart = draw();
    if (header)
        header->setBare(false);
    m_drawing = false;

    const ThemeColors& colors = themeColors(palette());
    const QFont font = uiFont(TextSize::Caption);
    // A long name goes on in the next line: part of it could be another one's.
    constexpr int flags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWrapAnywhere;
    const QRect room(captionPad, 0, std::max(1, width() - 2 * captionPad), 100'000);
    const int textHeight = QFontMetrics(font).boundingRect(room, flags, caption()).height();
    QImage image(QSize(width(), height() + textHeight + 2 * captionPad) * pixels,
                 QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(pixels);
    image.fill(colors.surface);
    QPainter painter(&image);
    painter.drawImage(0, 0, chart);
    painter.setFont(font);
    painter.setPen(colors.second);
    painter.drawText(QRect(room.left(), height() + captionPad, room.width(), textHeight), flags,
                     caption());
    return image;
}

void ChartWidget::paintFocusFrame(QPainter& painter) const
{
    if (hasFocus() && !m_drawing)
        paintFocus(painter, rect(), palette());
}

void ChartWidget::openMenu(const QPoint& globalPosition)
{
    ChartMenu menu;
    menu.picture = [this] { return picture(); };
    menu.csv = [this] { return csv(); };
    menu.fileStem = [this] { return fileStem(); };
    if (TimeAxis* axis = timeAxis()) {
        menu.setSpan = [axis](qint64 spanMs) { axis->setSpan(spanMs); };
        menu.follow = [axis] { axis->follow(); };
        if (axis->canCompare()) {
            menu.setCompare = [axis](qint64 beforeMs) { axis->setCompare(beforeMs); };
            menu.compareMs = axis->compare();
        }
        menu.spanMs = axis->view().spanMs();
        menu.following = axis->view().following();
    }
    menu.popup(this, globalPosition);
}

void ChartWidget::contextMenuEvent(QContextMenuEvent* event)
{
    openMenu(event->globalPos());
}

void ChartWidget::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_F10 && event->modifiers() == Qt::ShiftModifier)
        openMenu(mapToGlobal(rect().center()));
    else if (TimeAxis* axis = timeAxis(); !axis || !axis->press(*event))
        QWidget::keyPressEvent(event);
}

void ChartWidget::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void ChartWidget::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

} // namespace lk
