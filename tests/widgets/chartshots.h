// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/widgets/drawing.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QDir>
#include <QImage>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>

#include <set>

namespace lk {

/// Pictures of a widget in both themes, kept in the folder that LOCKKEEPER_SHOTS names.
class Shots final
{
public:
    Shots()
    {
        const QString wanted = qEnvironmentVariable("LOCKKEEPER_SHOTS");
        m_folder = wanted.isEmpty() ? m_temporary.path() : wanted;
        QDir().mkpath(m_folder);
    }

    /// The widget as it is seen in that theme, saved as <name>-light.png or <name>-dark.png.
    QImage take(Theme& theme, ThemeChoice choice, QWidget& widget, const QString& name) const
    {
        theme.choose(choice);
        test::waitForDrawing(widget);
        const QImage image = widget.grab().toImage();
        const auto suffix =
            choice == ThemeChoice::Dark ? QStringLiteral("dark") : QStringLiteral("light");
        image.save(QStringLiteral("%1/%2-%3.png").arg(m_folder, name, suffix));
        return image;
    }

private:
    QTemporaryDir m_temporary;
    QString m_folder;
};

/// How many pixels of a picture have nearly that colour.
inline int pixelsOf(const QImage& image, const QColor& color)
{
    int found = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            found += std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green()) +
                         std::abs(pixel.blue() - color.blue()) <
                     12;
        }
    }
    return found;
}

} // namespace lk
