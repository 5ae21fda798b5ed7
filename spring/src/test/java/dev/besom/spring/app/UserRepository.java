package dev.besom.spring.app;

import dev.besom.spring.Guarded;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.data.jpa.repository.JpaRepository;

/** A repository of which Spring Data makes the class. */
public interface UserRepository extends JpaRepository<User, Long> {

    @Guarded("users-email")
    Optional<User> findByEmail(String email);

    @Guarded("users-email")
    boolean existsByEmail(String email);

    @Guarded("users-email")
    @Nullable
    User getByEmail(String email);

    @Guarded(value = "users-email", key = "email")
    List<User> findAllByActiveAndEmail(boolean active, String email);

    /** Not guarded. */
    Optional<User> readByEmail(String email);
}
