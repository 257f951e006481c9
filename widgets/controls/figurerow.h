// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/themecolors.h"

#include <QWidget>

#include <vector>

class QLabel;

namespace lk {

/// A number and what it is, already translated. A value.
struct Figure
{
    QString value; ///< a dash where unknown
    QString caption;
    ColorRole color = ColorRole::Text;
};

/// A row of numbers with a caption under each; the first is the large one.
class FigureRow final : public QWidget
{
    Q_OBJECT

public:
    explicit FigureRow(QWidget* parent = nullptr);

    void setFigures(const std::vector<Figure>& figures); ///< all of them, in their order
    QString figure(int index) const;                     ///< what it says
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int gaps() const;
    int wanted(int step) const;
    void fit();
    void addLabels();
    void paintFigure(size_t index);

    struct Labels
    {
        QLabel* value;
        QLabel* caption;
    };
    std::vector<Labels> m_labels; ///< as many as there ever were figures
    std::vector<Figure> m_figures;
    int m_step = 0; ///< of its fonts, from large to small
};

} // namespace lk
