// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/themecolors.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;

namespace lk {

/// A number and its caption, already translated. A value.
struct Figure
{
    QString value; ///< a dash if unknown
    QString caption;
    ColorRole color = ColorRole::Text;
};

/// A row of numbers with a caption under each; the first is the large one. Uses two rows if one
/// does not fit.
class FigureRow final : public QWidget
{
    Q_OBJECT

public:
    explicit FigureRow(QWidget* parent = nullptr);

    void setFigures(const std::vector<Figure>& figures); ///< all of them, in their order
    QString figure(int index) const;                     ///< the text of the figure
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int columns(int step) const;
    int wanted(int step) const;
    int leastWidth(int step) const;
    void fit();
    void addLabels();
    void paintFigure(size_t index);

    struct Labels
    {
        QWidget* cell;
        QLabel* value;
        QLabel* caption;
    };
    QGridLayout* m_grid;
    std::vector<Labels> m_labels; ///< as many as there ever were figures
    std::vector<Figure> m_figures;
    int m_step = 0;    ///< the step of the fonts, from large to small
    int m_columns = 0; ///< as it is arranged; 0: not yet
};

} // namespace lk
