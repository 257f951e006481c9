// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/themecolors.h"

#include <QWidget>

class QLabel;

namespace lk {

/// A row of numbers with a caption under each; the first is the large one.
class FigureRow final : public QWidget
{
    Q_OBJECT

public:
    /// captions: one for each figure, already translated.
    explicit FigureRow(const QStringList& captions, QWidget* parent = nullptr);

    void setFigure(int index, const QString& value, ColorRole color = ColorRole::Text);
    void setCaption(int index, const QString& caption);
    /// Only the first so many; all of them at first.
    void setShown(int count);
    QString figure(int index) const;
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int gaps() const;
    int wanted(int step) const;
    void fit();
    void paintFigure(int index);

    struct Figure
    {
        QLabel* value;
        QLabel* caption;
        QString title; ///< the caption on one line
        ColorRole color = ColorRole::Text;
    };
    std::vector<Figure> m_figures;
    int m_step = 0; ///< of its fonts, from large to small
    int m_shown = 0;
};

} // namespace lk
