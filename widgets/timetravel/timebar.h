// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/timemark.h"

#include <QTimer>
#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace lk {

class TimeStrip;

/// Below the boards, once there is a recording: the moment that they show, and the controls to
/// choose another. In the past it says so in a sentence and leads back to live. Server time in
/// milliseconds.
class TimeBar final : public QWidget
{
    Q_OBJECT

public:
    explicit TimeBar(QWidget* parent = nullptr);

    void setRecorded(qint64 firstMs, qint64 nowMs);
    /// Empty: live. blindSinceMs: the moment of the shown values if no console recorded at
    /// momentMs; 0: momentMs was recorded.
    void setMoment(std::optional<qint64> momentMs, qint64 blindSinceMs = 0);
    void setPlaying(bool playing);
    /// Shows the events at the moment that is shown, the most important first, until the next
    /// moment. Shows a few and counts the others.
    void setEvents(const std::vector<TimeMark>& marks);
    /// Shows why a request failed, until the next moment.
    void showProblem(const QString& problem);

    TimeStrip& strip() { return *m_strip; }
    /// Opens the field for a time. The input arrives as momentWanted().
    void openField();
    double speed() const;
    QString sentence() const;

signals:
    void momentWanted(qint64 tMs);
    void liveWanted();
    void eventWanted(bool next);
    void playWanted(bool play); ///< at speed()
    void speedChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QToolButton* makeButton(const QString& name, const QString& tip);
    void closeField();
    void goToTyped();
    void updateTexts();
    void updateIcons();

    QWidget* m_past;
    QLabel* m_mark;
    QLabel* m_sentence;
    QToolButton* m_live;
    QToolButton* m_previous;
    QToolButton* m_play;
    QToolButton* m_next;
    QComboBox* m_speed;
    TimeStrip* m_strip;
    QToolButton* m_time; ///< says the moment; opens the field in its place
    QLineEdit* m_field;
    QString m_problem;
    QString m_event;
    std::optional<qint64> m_momentMs;
    qint64 m_blindSinceMs = 0;
    qint64 m_nowMs = 0;
    bool m_playing = false;
};

} // namespace lk
