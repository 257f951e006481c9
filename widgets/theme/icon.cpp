// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/icon.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

// Q_INIT_RESOURCE has to be called outside a namespace.
static void loadIcons()
{
    Q_INIT_RESOURCE(lk_icons);
}

namespace lk {

namespace {

QString fileOf(const QString& name)
{
    loadIcons();
    return QStringLiteral(":/icons/%1.svg").arg(name);
}

/// Draws the outline at the size that is asked for and then lays the colour over it; an invalid
/// colour leaves the picture's own.
class TintedOutline final : public QIconEngine
{
public:
    TintedOutline(QString file, QColor normal, QColor disabled, QColor selected)
        : m_file(std::move(file))
        , m_normal(normal)
        , m_disabled(disabled)
        , m_selected(selected)
    {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal ratio = painter->device()->devicePixelRatioF();
        QPixmap picture = pixmap(rect.size() * ratio, mode, state);
        picture.setDevicePixelRatio(ratio);
        painter->drawPixmap(rect, picture);
    }

    /// The size is in device pixels.
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override
    {
        const QColor color = colorOf(mode);
        const QString key = QStringLiteral("lk-icon %1 %2 %3x%4")
                                .arg(m_file, color.name(QColor::HexArgb))
                                .arg(size.width())
                                .arg(size.height());
        QPixmap picture;
        if (QPixmapCache::find(key, &picture))
            return picture;
        picture = QPixmap(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        const int side = std::min(size.width(), size.height());
        const QRectF square((size.width() - side) / 2.0, (size.height() - side) / 2.0, side, side);
        QSvgRenderer(m_file).render(&painter, square);
        if (color.isValid()) {
            painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
            painter.fillRect(picture.rect(), color);
        }
        painter.end();
        QPixmapCache::insert(key, picture);
        return picture;
    }

    QIconEngine* clone() const override { return new TintedOutline(*this); }

private:
    QColor colorOf(QIcon::Mode mode) const
    {
        if (mode == QIcon::Disabled)
            return m_disabled;
        return mode == QIcon::Selected ? m_selected : m_normal;
    }

    QString m_file;
    QColor m_normal;
    QColor m_disabled;
    QColor m_selected;
};

QIcon tinted(const QString& name, const QColor& color, const QPalette& palette)
{
    const QString file = fileOf(name);
    if (!QFile::exists(file))
        return {};
    return QIcon(new TintedOutline(file, color, palette.color(QPalette::Disabled, QPalette::Text),
                                   palette.color(QPalette::HighlightedText)));
}

} // namespace

QIcon icon(const QString& name, const QPalette& palette)
{
    return tinted(name, palette.color(QPalette::Active, QPalette::WindowText), palette);
}

QIcon icon(const QString& name, ColorRole role, const QPalette& palette)
{
    return tinted(name, themeColors(palette).of(role), palette);
}

QString healthIconName(Health health)
{
    switch (health) {
    case Health::Idle:
        return QStringLiteral("idle");
    case Health::Ok:
        return QStringLiteral("ok");
    case Health::Warning:
        return QStringLiteral("watch");
    case Health::Error:
        return QStringLiteral("error");
    }
    return QStringLiteral("unknown");
}

QIcon healthIcon(Health health, const QPalette& palette)
{
    return icon(healthIconName(health), healthRole(health), palette);
}

QIcon stateIcon(const State& state, const QPalette& palette)
{
    return stateIcon(stateIdOf(state), state.health, palette);
}

QIcon stateIcon(StateId state, Health health, const QPalette& palette)
{
    const bool isUnknown = isUnknownState(state) && health < Health::Warning;
    return isUnknown ? unknownIcon(palette) : healthIcon(health, palette);
}

QIcon unknownIcon(const QPalette& palette)
{
    return icon(QStringLiteral("help"), ColorRole::Second, palette);
}

QString kindIconName(Kind kind)
{
    return QString::fromLatin1(kindId(kind));
}

QIcon applicationIcon()
{
    return QIcon(new TintedOutline(fileOf(QStringLiteral("lockkeeper")), {}, {}, {}));
}

} // namespace lk
